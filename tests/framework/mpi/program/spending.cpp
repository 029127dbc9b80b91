// Moves that spend the array that is moved.
#include <algorithm>
#include <complex>
#include <random>

#include "framework/distributions.hpp"
#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;
using Catch::Contains;

namespace {

constexpr MoveOptions spending{.spends_source = true, .kernel = {}};

/// What this rank has of the matrix, or transpose, of all elements' numbers.
template <class T>
void fill(const Array<T>& array, const Distribution& held, Rank rank, std::int64_t width) {
  const std::vector<T> values = held_by<T>(held, rank, width);
  std::copy(values.begin(), values.end(), array.data());
}

template <class T>
bool holds(const Array<T>& array, const Distribution& held, Rank rank, std::int64_t width, bool transposed) {
  const std::vector<T> values = held_by<T>(held, rank, width, transposed);
  return array.size() == std::ssize(values) && std::equal(values.begin(), values.end(), array.data());
}

/// A matrix goes from one distribution to another one and on to a third, twice.
template <class T>
bool moves(Session& session, const std::vector<Distribution>& held, bool transposed, Kind kind) {
  const auto [rows, columns] = held[0].shape();
  Program program(session, "moves", options(session, kind));
  const auto a = program.array<T>("A", held[0].shape(), Held::as(held[0]));
  const auto b = program.array<T>("B", held[1].shape(), Held::as(held[1]));
  const auto c = program.array<T>("C", held[2].shape(), Held::as(held[2]));
  const MoveOptions how{.spends_source = true, .kernel = "any"};
  transposed ? program.transpose(a, b, how) : program.move(a, b, how);
  program.move(b, c, how);
  program.prepare();
  bool right = program.takes_part();
  for (int run = 0; run < 2; ++run) {
    fill(a, held[0], session.rank(), columns);
    const RunReport report = program.run();
    right = right && report.tasks.size() == 6 && holds(c, held[2], session.rank(), columns, transposed);
  }
  return agreed(right);
}

}  // namespace

TEST_CASE("an array that is spent goes to any distribution, and on") {
  Session session = make_session();
  std::mt19937_64 random(7);  // the same on all ranks
  for (const auto& [m, n] : {std::pair{13, 9}, {1, 7}, {0, 4}, {40, 31}}) {
    const auto sources = distributions(random, m, n, session.ranks());
    const auto targets = distributions(random, m, n, session.ranks());
    const auto turned = distributions(random, n, m, session.ranks());
    const auto one_of = [&](const std::vector<Distribution>& all) { return all[random() % all.size()]; };
    for (const Distribution& from : sources) {
      const Kind kind = random() % 2 == 0 ? Kind::native : Kind::tombolo;
      CHECK(moves<double>(session, {from, one_of(targets), one_of(targets)}, false, kind));
      CHECK(moves<std::complex<float>>(session, {from, one_of(turned), one_of(turned)}, true, kind));
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
  const auto a = program.array<double>("A", rows.shape(), Held::as(rows));
  const auto b = program.array<double>("B", columns.shape(), Held::as(columns));
  program.transpose(a, b, spending);
  program.prepare();
  CHECK(a.data() == b.data());
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
      const Slices rows = program.slices("rows", m, {.given = given});
      const Slices columns = program.slices("columns", n);
      const auto a = program.array<double>("A", {m, n}, Held::by(rows));
      const auto b = program.array<double>("B", {n, m}, Held::by(columns));
      program.repeat("loop", passes, [&] {
        program.transpose(a, b, spending);
        program.compute("add", {.over = columns, .kernel = "any", .operations = m, .reads = {b}, .writes = {b}},
                        [=](const Slice& slice) {
                          for (std::int64_t i = 0; i < slice.count * m; ++i) b.at(slice)[i] += 1;
                        });
        program.transpose(b, a, spending);
      });
      program.prepare();
      const auto each = [&](const auto& work) {
        each_of_mine(program, rows, [&](const Slice& slice) {
          for (std::int64_t i = 0; i < slice.count * n; ++i) {
            work(a.at(slice)[i], static_cast<double>(slice.first * n + i));
          }
        });
      };
      bool right = true;
      for (int run = 0; run < 2; ++run) {
        each([](double& x, double number) { x = number; });
        program.run();
        each([&](double x, double number) { right = right && x == number + passes; });
      }
      CHECK(agreed(right));
    }
  }
}

TEST_CASE("what is spent cannot be adapted, nor distributed over other ranks") {
  Session session = make_session();
  CHECK_THAT(agreed_error([&] {
               Program program(session, "adapts", options(session));
               const Slices rows = program.slices("rows", 10, {.adapts = true});
               const auto a = program.array<double>("A", {10, 4}, Held::by(rows));
               const auto b = program.array<double>("B", {10, 4}, Held::at(0));
               program.move(a, b, spending);
               program.run();
             }),
             Contains("' spends an array in rows, whose shares may change"));
  CHECK_THAT(agreed_error([&] {
               Program program(session, "other", options(session));
               const auto held = Distribution::at(0, {3, 3}, session.ranks() + 1);
               program.array<double>("A", {3, 3}, Held::as(held));
               program.run();
             }),
             Contains("A is distributed over"));
}
