#include <catch2/catch.hpp>

#include <tombolo/framework/mpi/program.hpp>
#include <tombolo/platform/mpi/machine.hpp>

#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

namespace {

constexpr Picoseconds microsecond = 1'000'000;

/// A row of a loop that adds one to every element, on ranks of which the last one becomes slow.
RunReport add_ones(Session& session, std::int64_t rows, std::int64_t passes, bool everywhere, bool& right) {
  constexpr std::int64_t columns = 3;
  Program program(
      session, "ones",
      {.shares = SharePolicy::equal,
       .progress = false,
       .speeds = {{"dgemm", std::vector<std::int64_t>(static_cast<std::size_t>(session.ranks()), 1'000'000)}}});
  const Slices slices = program.slices("rows", rows, {.adapts = true});
  const Held held = everywhere ? Held::by(slices).and_everywhere() : Held::by(slices);
  const auto values = program.array<double>("values", {rows, columns}, held);
  const bool slow = session.rank() == session.ranks() - 1;
  program.repeat("pass", passes, [&] {
    program.compute("add", {.over = slices, .kernel = "dgemm", .operations = 1, .reads = {values}, .writes = {values}},
                    [=](const Slice& slice) {
                      for (std::int64_t i = 0; i < slice.count * columns; ++i) values.at(slice)[i] += 1;
                      machine::sleep((slow ? 400 : 50) * microsecond * slice.count);
                    });
  });
  program.prepare();
  const Slice mine = program.mine(slices);
  for (std::int64_t i = 0; i < mine.count * columns; ++i) {
    values.at(mine)[i] = static_cast<double>(mine.first * columns + i);
  }
  const RunReport report = program.run();
  const Slice now = program.mine(slices);
  right = true;
  for (std::int64_t i = 0; i < now.count * columns; ++i) {
    right = right && values.at(now)[i] == static_cast<double>(now.first * columns + i + passes);
  }
  return report;
}

}  // namespace

TEST_CASE("shares change in mid-run, and no row is lost") {
  int argc = 0;
  char** argv = nullptr;
  Session session(argc, argv);
  constexpr std::int64_t rows = 67;
  const bool everywhere = GENERATE(false, true);
  bool right = false;
  const RunReport report = add_ones(session, rows, 150, everywhere, right);
  CHECK(agreed(right));
  std::int64_t items = 0;
  for (const MemberReport& member : report.members) items += member.items[0];
  CHECK(agreed(items == rows));
  if (session.ranks() == 1) {
    CHECK(report.loops[0].changes == 0);
  } else {
    CHECK(report.loops[0].changes >= 1);
    CHECK(report.members.back().items[0] < rows / session.ranks());
  }
}
