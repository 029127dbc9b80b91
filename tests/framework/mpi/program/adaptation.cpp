#include <algorithm>
#include <numeric>

#include <catch2/catch.hpp>

#include <tombolo/framework/program/declare/arrangement.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/program.hpp>

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
  const Domain domain = program.domain("rows", rows, {.adapts = true});
  const auto over = Distributed::over(domain);
  const auto values = program.array<double>("values", {rows, columns}, everywhere ? over.and_everywhere() : over);
  const bool slow = session.rank() == session.ranks() - 1;
  program.repeat("pass", passes, [&] {
    program.compute("add", domain, {.kernel = "dgemm", .operations = 1}, updates(values),
                    [slow](const Range& range, auto of_rows) {
                      for (double& each : of_rows) each += 1;
                      machine::sleep((slow ? 400 : 50) * microsecond * range.count());
                    });
  });
  program.prepare();
  const std::int64_t first = everywhere ? 0 : program.mine(domain).first() * columns;
  std::iota(program.local(values).begin(), program.local(values).end(), static_cast<double>(first));
  RunReport report = program.run();
  const Range now = program.mine(domain);
  std::vector<double> expected(static_cast<std::size_t>(now.count() * columns));
  std::iota(expected.begin(), expected.end(), static_cast<double>(now.first() * columns + passes));
  right = std::ranges::equal(program.local(values), expected);
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

TEST_CASE("what waits at a root, and halos of before the loop, outlive a change of shares") {
  int argc = 0;
  char** argv = nullptr;
  Session session(argc, argv);
  constexpr std::int64_t rows = 67;
  constexpr std::int64_t passes = 100;
  const bool swapped = GENERATE(false, true);
  const std::vector<std::int64_t> speeds(static_cast<std::size_t>(session.ranks()), 1'000'000);
  Program program(session, "waits", {.shares = SharePolicy::equal, .progress = false, .speeds = {{"dgemm", speeds}}});
  const Domain domain = program.domain("rows", rows, {.adapts = true});
  const auto over = Distributed::over(domain);
  const auto sums = program.array<double>("sums", {rows}, over);
  const auto exchanged = program.array<double>("exchanged", {rows}, over.with_halo(1));
  const auto other = program.array<double>("other", {rows}, over.with_halo(1));
  const auto rooted = program.array<double>("rooted", {rows}, over.and_at(session.ranks() - 1));
  const bool slow = session.rank() == session.ranks() - 1;
  program.halo(exchanged);
  if (swapped) program.swap(exchanged, other);
  program.repeat("pass", passes, [&] {
    program.compute("add", domain, {.kernel = "dgemm", .operations = 1}, around(swapped ? other : exchanged),
                    updates(sums), [slow](const Range& range, auto from, auto to) {
                      for (std::int64_t i = range.first(); i < range.end(); ++i) {
                        to(i) += (i > 0 ? from(i - 1) : 0) + (i + 1 < rows ? from(i + 1) : 0);
                      }
                      machine::sleep((slow ? 400 : 50) * microsecond * range.count());
                    });
  });
  program.scatterv(rooted);
  program.compute("add once", domain, {.kernel = "dgemm", .operations = 1}, reads(rooted), updates(sums),
                  [](const Range& range, auto from, auto to) {
                    for (std::int64_t i = range.first(); i < range.end(); ++i) to(i) += from(i);
                  });
  program.prepare();
  program.each_of_mine(domain, writes(exchanged), [](const Range& range, auto view) {
    std::iota(view.begin(), view.end(), static_cast<double>(range.first()));
  });
  std::iota(program.local(rooted).begin(), program.local(rooted).end(), 1000.0);
  const RunReport report = program.run();
  CHECK(agreed((report.loops[0].changes > 0) == (session.ranks() > 1)));
  bool right = true;
  program.each_of_mine(domain, reads(sums), [&](const Range& range, auto view) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) {
      const double both = static_cast<double>(i > 0 ? i - 1 : 0) + static_cast<double>(i + 1 < rows ? i + 1 : 0);
      right = right && view(i) == static_cast<double>(passes) * both + 1000 + static_cast<double>(i);
    }
  });
  CHECK(agreed(right));
}

TEST_CASE("ranks that were left out know the shares that have changed") {
  int argc = 0;
  char** argv = nullptr;
  Session session(argc, argv);
  constexpr std::int64_t rows = 67;
  // So little work that only the roots take part, where links are sure enough; the last of them becomes slow.
  const Rank last = std::min(1, session.ranks() - 1);
  std::vector<std::int64_t> speeds(static_cast<std::size_t>(session.ranks()), 1'000'000'000);
  for (Rank root = 0; root <= last; ++root) speeds[static_cast<std::size_t>(root)] *= 2;  // a set of their own
  Program program(session, "known", {.progress = false, .speeds = {{"dgemm", speeds}}});
  const Domain domain = program.domain("rows", rows, {.adapts = true});
  const auto values = program.array<double>("values", {rows}, Distributed::over(domain).and_at(0));
  const auto step = program.array<double>("step", {1}, Distributed::everywhere().and_at(last));
  const bool slow = session.rank() == last;
  program.scatterv(values);
  program.bcast(step);
  const auto add = [&](const std::string& name, Picoseconds time) {
    program.compute(name, domain, {.kernel = "dgemm", .operations = 1}, whole(step), updates(values),
                    [=](const Range& range, auto by, auto of_rows) {
                      for (double& each : of_rows) each += by(0);
                      if (time > 0) machine::sleep((slow ? 8 : 1) * time * range.count());
                    });
  };
  // The first loop does what it says, so that nobody is asked to come back.
  program.repeat("warm", 3, [&] { add("quick", 0); });
  program.repeat("pass", 150, [&] { add("slow", 50 * microsecond); });
  program.gatherv(values);
  program.prepare();
  if (session.rank() == last) program.local(step)[0] = 1;
  const RunReport report = program.run();
  if (session.ranks() > 1) CHECK(report.loops[1].changes >= 1);
  const std::vector<std::int64_t> known = program.division(domain).shares();
  bool right = known.size() == report.members.size();
  for (std::size_t m = 0; right && m < known.size(); ++m) right = known[m] == report.members[m].items[0];
  CHECK(agreed(right));
}
