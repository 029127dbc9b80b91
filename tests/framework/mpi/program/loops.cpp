// Loops: the largest eigenvalue of a matrix, until it no longer changes.
#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;

namespace {

constexpr std::int64_t n = 30;

// The last eigenvalue is far from the others, so that some tens of passes find it.
double entry(std::int64_t i, std::int64_t j) {
  const double diagonal = i == n - 1 ? 100.0 : 10.0 + static_cast<double>(i);
  return (i == j ? diagonal : 0.0) + 1.0 / static_cast<double>(i + j + 1);
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

Found largest(Session& session, Kind kind, int panels, std::int64_t most, bool ends) {
  Program program(session, "largest", options(session, kind, panels));
  const Domain rows = program.domain("rows", n);
  const auto m = program.array<double>("M", {n, n}, Distributed::over(rows));
  const auto x = program.array<double>("x", {n}, Distributed::over(rows).and_everywhere());
  const auto y = program.array<double>("y", {n}, Distributed::over(rows));
  const auto squares = program.partial<double>("squares", Reduce::sum);
  const auto pass = [&] {
    program.compute("multiply", rows, any(2.0 * n), reads(m), whole(x), writes(y),
                    [](const Range& range, auto m_i, auto all_x, auto y_i) {
                      for (std::int64_t i = range.first(); i < range.end(); ++i) {
                        y_i(i) = 0;
                        for (std::int64_t j = 0; j < n; ++j) y_i(i) += m_i(i, j) * all_x(j);
                      }
                    });
    program.task("squares", {}, reads(y), combines(squares), [](Collectives&, auto y_i, double& sum) {
      for (const double each : y_i) sum += each * each;
    });
    program.allreduce(squares);
    program.compute("scale", rows, any(), reads(y), whole(squares), writes(x),
                    [](const Range& range, auto y_i, double sum, auto x_i) {
                      for (std::int64_t i = range.first(); i < range.end(); ++i) x_i(i) = y_i(i) / std::sqrt(sum);
                    });
    program.allgatherv(x);
  };
  double before = 0;  // at the rank that decides
  const auto enough = [&](double sum) {
    const double now = std::sqrt(sum);
    return std::abs(now - std::exchange(before, now)) < 1e-13 * now;
  };
  program.repeat("powers", most, pass, ends ? until(squares, enough) : LoopRule{});
  program.prepare();
  program.each_of_mine(rows, writes(m), [](const Range& range, auto m_i) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) {
      for (std::int64_t j = 0; j < n; ++j) m_i(i, j) = entry(i, j);
    }
  });
  program.fill(x, 1.0);
  const RunReport first = program.run();
  const RunReport second = program.run();
  CHECK(agreed(std::isfinite(first.predicted_s) && std::isfinite(first.bound_s)));
  return {std::sqrt(program.local(squares)), first.loops.at(0).passes, second.loops.at(0).passes};
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
  const Domain rows = program.domain("rows", session.ranks());
  const auto count = program.array<std::int64_t>("count", {session.ranks()}, Distributed::over(rows));
  program.repeat("passes", most, [&] {
    program.compute("count", rows, any(), updates(count),
                    [](const Range& range, auto counts) { ++counts(range.first()); });
  });
  program.prepare();
  const RunReport report = program.run();
  CHECK(agreed(program.local(count)[0] == most));
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

TEST_CASE("a rule reads several values, numbers as they are and arrays as views") {
  Session session = make_session();
  Program program(session, "rule", options(session));
  const Domain rows = program.domain("rows", 12);
  const auto counts = program.partial<std::int64_t>("counts", {3}, Reduce::sum);
  const auto most = program.number<std::int64_t>("most");
  const auto pass = program.array<std::int64_t>("pass", {12}, Distributed::over(rows));
  const auto body = [&] {
    program.compute("count", rows, any(), updates(pass), combines(counts), [](const Range& range, auto at, auto sums) {
      for (std::int64_t i = range.first(); i < range.end(); ++i) sums(i % 3) += ++at(i);
    });
    program.allreduce(counts);
  };
  program.repeat("loop", 100, body, until(counts, most, [](View<const std::int64_t, 1> sums, std::int64_t enough) {
                   return sums.size() == 3 && sums(2) >= enough;
                 }));
  program.prepare();
  program.fill(most, 4 * 7);
  CHECK(agreed(program.run().loops[0].passes == 7));
  program.fill(most, 4 * 9);
  CHECK(agreed(program.run().loops[0].passes == 2));
  CHECK(agreed(std::ranges::count(program.local(counts), 4 * 9) == (program.takes_part() ? 3 : 0)));
}
