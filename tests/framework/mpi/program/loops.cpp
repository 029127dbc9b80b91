// Loops: the largest eigenvalue of a matrix, until it no longer changes.
#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;

namespace {

constexpr std::int64_t n = 30;

double entry(std::int64_t i, std::int64_t j) {
  return (i == j ? 10.0 + static_cast<double>(i) : 0.0) + 1.0 / static_cast<double>(i + j + 1);
}

double largest_alone() {
  std::vector<double> x(n, 1);
  double value = 0;
  for (int pass = 0; pass < 2000; ++pass) {
    std::vector<double> y(n, 0);
    double squares = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j)
        y[static_cast<std::size_t>(i)] += entry(i, j) * x[static_cast<std::size_t>(j)];
      squares += y[static_cast<std::size_t>(i)] * y[static_cast<std::size_t>(i)];
    }
    value = std::sqrt(squares);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = y[i] / value;
  }
  return value;
}

struct Found {
  double value = 0;
  std::int64_t passes = 0;
  std::int64_t passes_again = 0;
};

Found largest(Session& session, Kind kind, int panels, std::int64_t most, bool until) {
  Program program(session, "largest", options(session, kind, panels));
  const Slices rows = program.slices("rows", n);
  const auto m = program.array<double>("M", {n, n}, Held::by(rows));
  const auto x = program.array<double>("x", {n, 1}, Held::by(rows).and_everywhere());
  const auto y = program.array<double>("y", {n, 1}, Held::by(rows));
  const auto squares = program.array<double>("squares", {1, 1}, Held::everywhere());
  double before = 0;
  program.repeat(
      "powers", most,
      [&] {
        program.compute("multiply",
                        {.over = rows, .kernel = "any", .operations = 2.0 * n, .reads = {m, x}, .writes = {y}},
                        [=](const Slice& slice) {
                          for (std::int64_t i = 0; i < slice.count; ++i) {
                            y.at(slice)[i] = 0;
                            for (std::int64_t j = 0; j < n; ++j) y.at(slice)[i] += m.at(slice)[i * n + j] * x[j];
                          }
                        });
        program.task("squares", {.reads = {y}, .writes = {squares}}, [=](Collectives&) {
          squares[0] = 0;
          for (std::int64_t i = 0; i < y.size(); ++i) squares[0] += y[i] * y[i];
        });
        program.allreduce(squares, MPI_SUM);
        program.compute("scale", {.over = rows, .kernel = "any", .operations = 1, .reads = {y, squares}, .writes = {x}},
                        [=](const Slice& slice) {
                          for (std::int64_t i = 0; i < slice.count; ++i) {
                            x.at(slice)[i] = y.at(slice)[i] / std::sqrt(squares[0]);
                          }
                        });
        program.allgatherv(x);
      },
      until ? std::function<bool()>([&] {
        const double now = std::sqrt(squares[0]);
        return std::abs(now - std::exchange(before, now)) < 1e-13 * now;
      })
            : std::function<bool()>());
  program.prepare();
  each_of_mine(program, rows, [&](const Slice& slice) {
    for (std::int64_t i = 0; i < slice.count * n; ++i) m.at(slice)[i] = entry(slice.first + i / n, i % n);
  });
  std::fill_n(x.data(), n, 1.0);
  const RunReport first = program.run();
  const RunReport second = program.run();
  CHECK(agreed(std::isfinite(first.predicted_s) && std::isfinite(first.bound_s)));
  return {std::sqrt(squares[0]), first.loops.at(0).passes, second.loops.at(0).passes};
}

}  // namespace

TEST_CASE("a loop ends by its rule, on all ranks alike, and the next run goes on from there") {
  Session session = make_session();
  const double expected = largest_alone();
  for (const Kind kind : {Kind::native, Kind::tombolo}) {
    for (const int panels : {0, 2}) {
      const Found found = largest(session, kind, panels, 5000, true);
      CHECK(agreed(std::abs(found.value - expected) < 1e-9 * expected));
      CHECK(agreed(found.passes > 10 && found.passes < 5000));
      CHECK(agreed(found.passes_again < 10));
    }
  }
}

TEST_CASE("a loop of many short passes is measured to the end") {
  Session session = make_session();
  const std::int64_t most = machine::simulated() ? 10 : 70'000;  // more than are kept before they are told
  Program program(session, "short", options(session));
  const Slices rows = program.slices("rows", session.ranks());
  const auto count = program.array<std::int64_t>("count", {session.ranks(), 1}, Held::by(rows));
  program.repeat("passes", most, [&] {
    program.compute("count", {.over = rows, .kernel = "any", .operations = 1, .reads = {count}, .writes = {count}},
                    [=](const Slice& slice) { ++*count.at(slice); });
  });
  program.prepare();
  const RunReport report = program.run();
  CHECK(agreed(count[0] == most));
  CHECK(agreed(report.loops.at(0).passes == most));
  CHECK(agreed(report.tasks.at(0).seconds > 0 && report.tasks.at(0).seconds <= report.seconds * 1.001));
  CHECK(agreed(report.members.at(0).operations == static_cast<double>(most)));
}

TEST_CASE("a loop without a rule is done as often as was said, also not at all") {
  Session session = make_session();
  for (const std::int64_t most : {0, 1, 3}) {
    const Found found = largest(session, Kind::tombolo, 2, most, false);
    CHECK(agreed(found.passes == most && found.passes_again == most));
  }
}
