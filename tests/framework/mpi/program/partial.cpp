// What ranks combine, and loops that end by it.
#include <algorithm>

#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;

TEST_CASE("each rank's part of a sum and of a maximum begins as the identity, in every pass and every run") {
  Session session = make_session();
  constexpr std::int64_t items = 101;
  Program program(session, "parts", options(session, Kind::tombolo, GENERATE(1, 3)));
  const Domain rows = program.domain("rows", items);
  const auto a = program.array<double>("a", {items}, Distributed::over(rows).and_at(0));
  const auto sum = program.partial<double>("sum", {2}, Reduce::sum);
  const auto most = program.partial<std::int64_t>("most", Reduce::max);
  const auto add = [](const Range& range, auto a_i, auto sums, std::int64_t& largest) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) {
      sums(0) += 1;
      sums(1) += a_i(i);
      largest = std::max(largest, i);
    }
  };
  const auto pass = [&] {
    program.compute("add", rows, any(), reads(a), combines(sum), combines(most), add);
    program.allreduce(sum);
    program.allreduce(most);
  };
  program.scatterv(a);
  pass();
  program.repeat("pass", 3, pass);
  program.prepare();
  program.fill(a, 0.5);
  for (int run = 0; run < 2; ++run) {
    program.run();
    const std::span<const double> sums = program.local(sum);
    CHECK(agreed(!program.takes_part() || (sums[0] == items && sums[1] == items / 2.0)));
    CHECK(agreed(program.local(most) == items - 1));
  }
}

TEST_CASE("what is no partial value is not combined") {
  Session session = make_session();
  Program program(session, "parts", options(session));
  const Domain rows = program.domain("rows", 7);
  const auto items = program.array<double>("items", {7}, Distributed::over(rows));
  program.compute("add", rows, any(), combines(items), [](const Range&, auto) {});
  CHECK_THROWS_WITH(program.plan(), Catch::Contains("'add' needs items to be partial"));
}

TEST_CASE("a loop of no passes is done and reported") {
  Session session = make_session();
  Program program(session, "none", options(session));
  const Domain rows = program.domain("rows", 7);
  const auto a = program.array<double>("a", {7}, Distributed::over(rows));
  program.repeat("pass", 0, [&] { program.compute("fill", rows, any(), writes(a), [](const Range&, auto) {}); });
  const RunReport report = program.run();
  CHECK(agreed(report.loops[0].passes == 0 && report.predicted_s == 0));
}

TEST_CASE("what is predicted of ranks is for as many passes as were done") {
  Session session = make_session();
  ProgramOptions how = options(session);
  how.speeds["any"].assign(how.speeds["any"].size(), 1000);
  how.adapt = false;
  Program program(session, "few", how);
  const Domain rows = program.domain("rows", 40);
  const auto a = program.array<double>("a", {40}, Distributed::over(rows));
  int done = 0;  // at the rank that decides
  program.repeat(
      "pass", 1000, [&] { program.compute("fill", rows, any(5), writes(a), [](const Range&, auto) {}); },
      until([&] { return ++done == 7; }));
  const RunReport report = program.run();
  double operations = 0;
  for (const MemberReport& member : report.members) operations += 1000 * member.predicted_s;
  CHECK(agreed(std::abs(operations - 7 * 40 * 5) < 1e-6));
}
