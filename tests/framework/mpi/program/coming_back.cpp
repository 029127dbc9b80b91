// Ranks that were left out come back where the first passes show that this was wrong.
#include <chrono>

#include <tombolo/framework/program/declare/arrangement.hpp>

#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;

namespace {

void work_for(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

}  // namespace

TEST_CASE("ranks that were left out by a wrong cost come back, and values move to them") {
  Session session = make_session();
  ProgramOptions how = options(session);
  how.shares = SharePolicy::best;
  constexpr std::int64_t n = 40;
  constexpr std::int64_t passes = 6;
  const Rank last = session.ranks() - 1;
  Program program(session, "back", how);
  const Domain rows = program.domain("rows", n);
  const auto x = program.array<double>("x", {n, 3}, Distributed::over(rows).and_at(last));
  const auto y = program.array<double>("y", {n}, Distributed::over(rows).and_everywhere());
  const auto factor = program.array<double>("factor", {2}, Distributed::everywhere().and_at(last));
  const auto sum = program.partial<double>("sum", Reduce::sum);
  const auto before = program.partial<double>("before", Reduce::sum);
  program.scatterv(x);
  program.bcast(factor);
  program.repeat("pass", passes, [&] {
    // One operation is said, of a thousand that it takes.
    program.compute("work", rows, {.kernel = "any", .operations = 1}, whole(factor), updates(x), writes(y),
                    combines(sum), [](const Range& range, auto f, auto xs, auto ys, double& total) {
                      for (std::int64_t i = range.first(); i < range.end(); ++i) {
                        work_for(std::chrono::milliseconds(1));  // more than a busy machine delays messages
                        for (std::int64_t j = 0; j < 3; ++j) xs(i, j) += f(j % 2);
                        ys(i) = xs(i, 0);
                        total += xs(i, 2);
                      }
                    });
    program.allreduce(sum);
    program.allgatherv(y);
    program.swap(sum, before);
  });
  program.gatherv(x);
  program.prepare();
  const bool left_out = agreed(program.arrangement().ranks() < session.ranks());
  if (session.rank() == last) {
    const std::span<double> start = program.local(x);
    for (std::size_t i = 0; i < start.size(); ++i) start[i] = static_cast<double>(i);
    program.local(factor)[0] = 2;
    program.local(factor)[1] = 5;
  }
  const RunReport report = program.run();
  CHECK(report.loops.at(0).passes == passes);
  if (left_out && !machine::simulated()) {
    CHECK(agreed(report.members.size() == static_cast<std::size_t>(session.ranks())));
    CHECK(report.how.find("after 2 passes on") != std::string::npos);
  }
  bool right = true;
  double expected = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto begin = static_cast<double>(3 * i);
    expected += begin + 2 + 2 * passes;
    if (session.rank() == last) {
      right = right && program.local(x)[static_cast<std::size_t>(3 * i)] == begin + 2 * passes &&
              program.local(x)[static_cast<std::size_t>(3 * i + 1)] == begin + 1 + 5 * passes;
    }
    if (program.takes_part()) {
      right = right && program.local(y)[static_cast<std::size_t>(i)] == begin + 2 * passes;
    }
  }
  CHECK(agreed(right));
  CHECK(agreed(program.local(before) == expected));
  double operations = 0;
  for (const MemberReport& member : report.members) operations += member.operations;
  CHECK(agreed(operations == static_cast<double>(n * passes)));
}

TEST_CASE("an array that is spent after ranks have come back has room for what becomes of it") {
  Session session = make_session();
  ProgramOptions how = options(session);
  how.shares = SharePolicy::best;
  constexpr std::int64_t n = 40;
  constexpr std::int64_t passes = 3;
  Program program(session, "spent_later", how);
  const Domain rows = program.domain("rows", n);
  const Domain columns = program.domain("columns", 3);
  const auto x = program.array<double>("x", {n, 3}, Distributed::over(rows));
  const auto turned = program.array<double>("turned", {3, n}, Distributed::over(columns));
  program.repeat("pass", passes, [&] {
    program.compute("work", rows, any(), updates(x), [](const Range& range, auto of_rows) {
      for (double& each : of_rows) each += 1;
      work_for(std::chrono::milliseconds(range.count()));
    });
  });
  program.transpose(x, turned, {.spends_source = true, .kernel = "any"});
  program.prepare();
  const auto start = [](std::int64_t i, std::int64_t j) { return static_cast<double>(3 * i + j); };
  program.each_of_mine(rows, writes(x), [&](const Range& range, auto xs) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) {
      for (std::int64_t j = 0; j < 3; ++j) xs(i, j) = start(i, j);
    }
  });
  program.run();
  bool right = true;
  program.each_of_mine(columns, reads(turned), [&](const Range& range, auto of_columns) {
    for (std::int64_t j = range.first(); j < range.end(); ++j) {
      for (std::int64_t i = 0; i < n; ++i) right = right && of_columns(j, i) == start(i, j) + passes;
    }
  });
  CHECK(agreed(right));
}

TEST_CASE("a halo of before the loop is right behind it and after the run") {
  Session session = make_session();
  ProgramOptions how = options(session);
  how.shares = SharePolicy::best;
  constexpr std::int64_t n = 40;
  Program program(session, "kept_halo", how);
  const Domain rows = program.domain("rows", n);
  const auto x = program.array<double>("x", {n}, Distributed::over(rows).with_halo(1));
  const auto y = program.array<double>("y", {n}, Distributed::over(rows));
  program.halo(x);
  program.repeat("pass", 3, [&] {
    program.compute("work", rows, any(), updates(y), [](const Range& range, auto of_rows) {
      for (double& each : of_rows) each += 1;
      work_for(std::chrono::milliseconds(range.count()));
    });
  });
  program.compute("add", rows, any(), around(x), updates(y), [](const Range& range, auto xs, auto ys) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) {
      ys(i) += (i > 0 ? xs(i - 1) : 0) + (i < n - 1 ? xs(i + 1) : 0);
    }
  });
  program.prepare();
  const auto start = [](std::int64_t i) { return static_cast<double>(i * i + 1); };
  program.each_of_mine(rows, writes(x), writes(y), [&](const Range& range, auto xs, auto ys) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) {
      xs(i) = start(i);
      ys(i) = 0;
    }
  });
  program.run();
  bool right = true;
  program.each_of_mine(rows, reads(y), [&](const Range& range, auto ys) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) {
      right = right && ys(i) == 3 + (i > 0 ? start(i - 1) : 0) + (i < n - 1 ? start(i + 1) : 0);
    }
  });
  CHECK(agreed(right));
}
