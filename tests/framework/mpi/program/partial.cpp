#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/program.hpp>

#include "framework/mpi/session_files.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

TEST_CASE("each rank's part of a sum and of a maximum begins at zero, in every pass and every run") {
  Session session = test::make_session();
  constexpr std::int64_t items = 101;
  ProgramOptions options;
  options.panels = GENERATE(1, 3);
  Program program(session, "parts", options);
  const Slices rows = program.slices("rows", items);
  const auto a = program.array<double>("a", {items, 1}, Held::by(rows).and_at(0));
  const auto sum = program.array<double>("sum", {2, 1}, Held::everywhere());
  const auto most = program.array<std::int64_t>("most", {1, 1}, Held::everywhere());
  const auto add = [=](const Slice& slice) {
    for (std::int64_t i = 0; i < slice.count; ++i) {
      sum[0] += 1;
      sum[1] += a.at(slice)[i];
      most[0] = std::max(most[0], slice.first + i);
    }
  };
  program.scatterv(a);
  program.compute("add once", {.over = rows, .reads = {a}, .partial = {sum, most}}, add);
  program.allreduce(sum, MPI_SUM);
  program.allreduce(most, MPI_MAX);
  program.repeat("pass", 3, [&] {
    program.compute("add", {.over = rows, .reads = {a}, .partial = {sum, most}}, add);
    program.allreduce(sum, MPI_SUM);
    program.allreduce(most, MPI_MAX);
  });
  program.prepare();
  if (a.whole()) std::fill_n(a.data(), a.size(), 0.5);
  for (int run = 0; run < 2; ++run) {
    program.run();
    CHECK(agreed(!program.takes_part() || (sum[0] == items && sum[1] == items / 2.0 && most[0] == items - 1)));
  }
}

TEST_CASE("what is no part of a sum of all ranks is refused") {
  Session session = test::make_session();
  Program program(session, "parts");
  const Slices rows = program.slices("rows", 7);
  const auto sliced = program.array<double>("sliced", {7, 1}, Held::by(rows));
  program.compute("add", {.over = rows, .partial = {sliced}}, [](const Slice&) {});
  CHECK_THROWS_WITH(program.plan(), Catch::Contains("'add' needs sliced to be everywhere"));
}

TEST_CASE("a loop of no passes is done and reported") {
  Session session = test::make_session();
  Program program(session, "none");
  const Slices rows = program.slices("rows", 7);
  const auto a = program.array<double>("a", {7, 1}, Held::by(rows));
  program.repeat("pass", 0, [&] { program.compute("fill", {.over = rows, .writes = {a}}, [](const Slice&) {}); });
  const RunReport report = program.run();
  CHECK(agreed(report.loops[0].passes == 0 && report.predicted_s == 0));
}

TEST_CASE("what is predicted of ranks is for as many passes as were done") {
  Session session = test::make_session();
  ProgramOptions options;
  options.speeds["dgemm"] = std::vector<std::int64_t>(static_cast<std::size_t>(session.ranks()), 1000);
  options.shares = SharePolicy::speed;
  options.adapt = false;
  Program program(session, "few", options);
  const Slices rows = program.slices("rows", 40);
  const auto a = program.array<double>("a", {40, 1}, Held::by(rows));
  const auto work = [](const Slice&) {};
  int done = 0;
  program.repeat(
      "pass", 1000,
      [&] { program.compute("fill", {.over = rows, .kernel = "dgemm", .operations = 5, .writes = {a}}, work); },
      [&] { return ++done == 7; });
  const RunReport report = program.run();
  double operations = 0;
  for (const MemberReport& member : report.members) operations += 1000 * member.predicted_s;
  CHECK(agreed(std::abs(operations - 7 * 40 * 5) < 1e-6));
}
