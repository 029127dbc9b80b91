// Moves that spend the array that is moved.
#include <algorithm>
#include <complex>
#include <numeric>
#include <random>

#include "framework/arrays/distributions.hpp"
#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;
using Catch::Contains;

namespace {

constexpr MoveOptions spending{.spends_source = true, .kernel = {}};

/// What this rank has of the matrix, or transpose, of all elements' numbers.
template <class T>
void fill(std::span<T> array, const Distribution& held, Rank rank, std::int64_t width) {
  std::ranges::copy(held_by<T>(held, rank, width), array.begin());
}

template <class T>
bool holds(std::span<T> array, const Distribution& held, Rank rank, std::int64_t width, bool transposed) {
  return std::ranges::equal(array, held_by<T>(held, rank, width, transposed));
}

template <class T>
Array<T, 2> placed(Program& program, const char* name, const Distribution& distribution) {
  const auto [rows, columns] = distribution.shape();
  return program.array<T>(name, {rows, columns}, Distributed::as(distribution));
}

/// A matrix goes from one distribution to another one and on to a third, twice.
template <class T>
bool moves(Session& session, const std::vector<Distribution>& held, bool transposed, Kind kind) {
  const std::int64_t columns = held[0].shape().columns;
  Program program(session, "moves", options(session, kind));
  const auto a = placed<T>(program, "A", held[0]);
  const auto b = placed<T>(program, "B", held[1]);
  const auto c = placed<T>(program, "C", held[2]);
  const MoveOptions how{.spends_source = true, .kernel = "any"};
  transposed ? program.transpose(a, b, how) : program.move(a, b, how);
  program.move(b, c, how);
  program.prepare();
  bool right = program.takes_part();
  for (int run = 0; run < 2; ++run) {
    fill(program.refill(a), held[0], session.rank(), columns);
    const RunReport report = program.run();
    right = right && report.tasks.size() == 6 && holds(program.local(c), held[2], session.rank(), columns, transposed);
  }
  return agreed(right);
}

}  // namespace

TEST_CASE("an array that is spent goes to any distribution, and on") {
  Session session = make_session();
  std::mt19937_64 random(7);  // the same on all ranks
  for (const auto& [m, n] : {std::pair{13, 9}, {1, 7}, {0, 4}, {40, 31}}) {
    if (machine::simulated() && m != 13 && m != 0) continue;  // many more ranks, in one process
    const auto sources = distributions(random, m, n, session.ranks());
    const auto targets = distributions(random, m, n, session.ranks());
    const auto turned = distributions(random, n, m, session.ranks());
    const auto one_of = [&](const std::vector<Distribution>& all) { return all[random() % all.size()]; };
    bool turns = false;
    for (const Distribution& from : sources) {
      const Kind kind = random() % 2 == 0 ? Kind::native : Kind::tombolo;
      const bool both = session.ranks() <= 3;  // else each source in turns
      turns = !turns;
      if (both || !turns) CHECK(moves<double>(session, {from, one_of(targets), one_of(targets)}, false, kind));
      if (both || turns) {
        CHECK(moves<std::complex<float>>(session, {from, one_of(turned), one_of(turned)}, true, kind));
      }
    }
  }
}

TEST_CASE("a view takes the memory of what it is a view of") {
  Session session = make_session();
  const auto shares = uneven_shares(60, session.ranks());
  const auto rows = Distribution::rows(shares, 7);
  const auto columns = Distribution::columns(7, shares);
  CHECK(moves<float>(session, {rows, columns, columns}, true, Kind::tombolo));
  CHECK(moves<float>(session, {rows, columns, Distribution::rows(equal_shares(7, session.ranks()), 60)}, true,
                     Kind::tombolo));
  Program program(session, "view", options(session));
  const auto a = placed<double>(program, "A", rows);
  const auto b = placed<double>(program, "B", columns);
  program.transpose(a, b, spending);
  program.prepare();
  CHECK(program.local(a).data() == program.local(b).data());
  CHECK_THAT(program.explain(), Contains("view: nothing moves"));
}

TEST_CASE("two arrays in slices hand a matrix to and fro in a loop") {
  Session session = make_session();
  constexpr std::int64_t m = 12;
  constexpr std::int64_t n = 7;
  constexpr int passes = 4;
  for (const Kind kind : {Kind::native, Kind::tombolo}) {
    for (const auto& given : {std::vector<std::int64_t>{}, uneven_shares(m, session.ranks())}) {
      Program program(session, "to and fro", options(session, kind));
      const Domain rows = program.domain("rows", m, {.given = given});
      const Domain columns = program.domain("columns", n);
      const auto a = program.array<double>("A", {m, n}, Distributed::over(rows));
      const auto b = program.array<double>("B", {n, m}, Distributed::over(columns));
      program.repeat("loop", passes, [&] {
        program.transpose(a, b, spending);
        program.compute("add", columns, any(m), updates(b), [](const Range&, auto of_b) {
          for (double& each : of_b) each += 1;
        });
        program.transpose(b, a, spending);
      });
      program.prepare();
      bool right = true;
      for (int run = 0; run < 2; ++run) {
        program.each_of_mine(rows, writes(a), [](const Range& range, auto of_a) {
          std::iota(of_a.begin(), of_a.end(), static_cast<double>(range.first() * n));
        });
        program.run();
        program.each_of_mine(rows, reads(a), [&](const Range& range, auto of_a) {
          auto number = static_cast<double>(range.first() * n);
          for (const double each : of_a) right = right && each == number++ + passes;
        });
      }
      CHECK(agreed(right));
    }
  }
}

TEST_CASE("what is spent cannot be adapted, nor distributed over other ranks") {
  Session session = make_session();
  CHECK_THAT(agreed_error([&] {
               Program program(session, "adapts", options(session));
               const Domain rows = program.domain("rows", 10, {.adapts = true});
               const auto a = program.array<double>("A", {10, 4}, Distributed::over(rows));
               const auto b = program.array<double>("B", {10, 4}, Distributed::at(0));
               program.move(a, b, spending);
               program.run();
             }),
             Contains("' spends an array in rows, whose shares may change"));
  CHECK_THAT(agreed_error([&] {
               Program program(session, "other", options(session));
               const auto held = Distribution::at(0, {3, 3}, session.ranks() + 1);
               program.array<double>("A", {3, 3}, Distributed::as(held));
               program.run();
             }),
             Contains("A is distributed over"));
}
