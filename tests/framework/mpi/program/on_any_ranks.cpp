// What made-up programs (tests/fuzz/mpi) found to differ from one rank to several.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/program.hpp>
#include <tombolo/session.hpp>

#include "framework/mpi/session/session_files.hpp"
#include "support/agree.hpp"

namespace tombolo {

namespace {

using Catch::Contains;
using test::agreed;

ProgramOptions with_speeds(const Session& session, SharePolicy shares = SharePolicy::equal) {
  ProgramOptions options{.shares = shares, .progress = false};
  options.speeds["any"] = std::vector<std::int64_t>(static_cast<std::size_t>(session.ranks()), 1'000'000'000);
  return options;
}

const Cost cost{.kernel = "any", .operations = 1};

// What all ranks are told; empty where nothing is.
std::string refusal(Program& program) {
  std::string words;
  try {
    program.plan();
  } catch (const AgreedError& error) {
    words = error.what();
  }
  return words;
}

std::uint64_t last_one(std::uint64_t a, std::uint64_t b) {
  return b != 0 ? b : a;
}
std::uint64_t first_one(std::uint64_t a, std::uint64_t b) {
  return a != 0 ? a : b;
}

}  // namespace

TEST_CASE("a farm that writes nothing is refused") {
  Session session = test::make_session();
  Program program(session, "nothing", with_speeds(session));
  program.farm("work", program.domain("rows", 9), cost, [](const Range&) {});
  CHECK_THAT(refusal(program), Contains("'work' does not access items by one writes() alone"));
}

TEST_CASE("a task around a halo is done once") {
  Session session = test::make_session();
  Program program(session, "once", with_speeds(session));
  const Domain rows = program.domain("rows", 40);
  const auto a = program.array<double>("a", {40}, Distributed::over(rows).with_halo(1));
  program.halo(a);
  int calls = 0;
  program.task("own", {}, around(a), [&calls](Collectives& /*all*/, auto /*a*/) { ++calls; });
  program.run();
  CHECK(agreed(calls == (program.takes_part() ? 1 : 0)));
}

TEST_CASE("what only the root has up to date is nowhere else") {
  Session session = test::make_session();
  Program program(session, "stale", with_speeds(session));
  const auto a = program.array<double>("a", {5}, Distributed::everywhere().and_at(0));
  program.prepare();
  CHECK(agreed(program.local(a).size() == (session.rank() == 0 ? 5U : 0U)));
}

TEST_CASE("ranks that are left out hold nothing of an array with a halo") {
  Session session = test::make_session();
  ProgramOptions options = with_speeds(session, SharePolicy::best);
  std::fill(options.speeds["any"].begin() + 1, options.speeds["any"].end(), 1);
  Program program(session, "few", options);
  const Domain rows = program.domain("rows", 40);
  const auto a = program.array<double>("a", {40, 3}, Distributed::over(rows).with_halo(2));
  program.compute("fill", rows, cost, writes(a),
                  [](const Range& /*range*/, auto all) { std::fill(all.begin(), all.end(), 1); });
  program.run();
  CHECK(agreed(program.takes_part() || program.local(a).empty()));
}

TEST_CASE("the largest unsigned number is above what signed ones reach") {
  Session session = test::make_session();
  Program program(session, "unsigned", with_speeds(session));
  const Domain rows = program.domain("rows", 9);
  const auto most = program.partial<std::uint32_t>("most", Reduce::max);
  const auto least = program.partial<std::uint64_t>("least", Reduce::min);
  program.compute("both", rows, cost, combines(most), combines(least),
                  [](const Range& range, std::uint32_t& large, std::uint64_t& small) {
                    for (std::int64_t i = range.first(); i < range.end(); ++i) {
                      large = std::max(large, i == 4 ? 3'000'000'000U : 7U);
                      small =
                          std::min(small, std::numeric_limits<std::uint64_t>::max() - static_cast<std::uint64_t>(i));
                    }
                  });
  program.allreduce(most);
  program.allreduce(least);
  program.run();
  CHECK(agreed(program.local(most) == 3'000'000'000U));
  CHECK(agreed(program.local(least) == std::numeric_limits<std::uint64_t>::max() - 8));
}

TEST_CASE("what a move has spent is filled again without harm to what it was moved to") {
  Session session = test::make_session();
  Program program(session, "again", with_speeds(session));
  const Domain rows = program.domain("rows", 12);
  const auto a = program.array<double>("a", {12}, Distributed::over(rows));
  const auto b = program.array<double>("b", {12}, Distributed::over(rows));
  program.move(a, b, {.spends_source = true});
  program.prepare();
  program.fill(a, 1.0);
  program.fill(b, 7.0);  // by habit
  program.run();
  const auto all_are = [&](double value) {
    const auto here = program.local(b);
    return agreed(std::all_of(here.begin(), here.end(), [=](double x) { return x == value; }));
  };
  CHECK(all_are(1));
  program.fill(a, 2.0);
  CHECK(all_are(1));
  program.run();
  CHECK(all_are(2));
}

TEST_CASE("parts that do not commute stay in the order of items") {
  Session session = test::make_session();
  for (const int panels : {1, 3}) {
    ProgramOptions options = with_speeds(session);
    options.panels = panels;
    Program program(session, "in order", options);
    const Domain rows = program.domain("rows", 24);
    const auto a = program.array<double>("a", {24}, Distributed::over(rows).and_at(0));
    const auto b = program.array<double>("b", {24}, Distributed::over(rows));
    const auto last = program.partial<std::uint64_t, last_one>("last", 0, false);
    program.scatterv(a);
    program.compute("find", rows, cost, reads(a), writes(b), combines(last),
                    [](const Range& range, auto a_i, auto b_i, std::uint64_t& found) {
                      for (std::int64_t i = range.first(); i < range.end(); ++i) {
                        b_i(i) = a_i(i);
                        found = last_one(found, static_cast<std::uint64_t>(i));
                      }
                    });
    program.allreduce(last);
    program.run();
    CHECK(agreed(program.local(last) == 23));
  }
}

TEST_CASE("parts of two tasks that do not commute are refused, and places of different functions") {
  Session session = test::make_session();
  Program twice(session, "twice", with_speeds(session));
  const Domain rows = twice.domain("rows", 9);
  const auto last = twice.partial<std::uint64_t, last_one>("last", 0, false);
  for (const char* name : {"one", "other"}) {
    twice.compute(name, rows, cost, combines(last), [](const Range& /*range*/, std::uint64_t& found) { found = 1; });
  }
  CHECK_THAT(refusal(twice), Contains("'other' combines last once more, whose parts are to stay in order"));

  Program swapped(session, "swapped", with_speeds(session));
  swapped.swap(swapped.partial<std::uint64_t, last_one>("last", 0),
               swapped.partial<std::uint64_t, first_one>("first", 0));
  CHECK_THAT(refusal(swapped), Contains("only two arrays that are declared alike can be swapped"));
}

TEST_CASE("a change of shares leaves what is up to date at a root, and halos from before the loop") {
  Session session = test::make_session();
  constexpr std::int64_t items = 24;
  constexpr Picoseconds ms = 1'000'000'000;
  Program program(session, "changes", with_speeds(session));
  const Domain rows = program.domain("rows", items, {.adapts = true});
  const auto a = program.array<double>("a", {items}, Distributed::over(rows).with_halo(1));
  const auto b = program.array<double>("b", {items}, Distributed::over(rows));
  const auto kept = program.array<double>("kept", {items}, Distributed::over(rows).and_at(0));
  const bool slow = session.rank() == 0;
  program.halo(a);
  const auto add = [slow](const Range& range, auto from, auto to) {
    if (slow) machine::sleep(20 * ms * range.count());
    for (std::int64_t i = range.first(); i < range.end(); ++i) {
      to(i) = (i > 0 ? from(i - 1) : 0) + (i + 1 < items ? from(i + 1) : 0);
    }
  };
  program.repeat("pass", 4, [&] { program.compute("add", rows, cost, around(a), updates(b), add); });
  program.scatterv(kept);
  program.prepare();
  const auto number = [](const Range& range, auto of) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) of(i) = static_cast<double>(i);
  };
  program.each_of_mine(rows, writes(a), number);
  program.fill(b, 0.0);
  for (std::size_t i = 0; i < program.local(kept).size(); ++i) program.local(kept)[i] = static_cast<double>(i);
  const RunReport report = program.run();
  bool right = true;
  program.each_of_mine(rows, reads(b), reads(kept), [&](const Range& range, auto sums, auto numbers) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) {
      const double sum = i + 1 < items ? static_cast<double>(2 * i) : static_cast<double>(i - 1);
      right = right && sums(i) == (i == 0 ? 1 : sum) && numbers(i) == static_cast<double>(i);
    }
  });
  CHECK(agreed(right));
  CHECK(agreed((report.loops[0].changes > 0) == (session.ranks() > 1)));
}

}  // namespace tombolo
