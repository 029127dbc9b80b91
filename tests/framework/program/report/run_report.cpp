#include <catch2/catch.hpp>

#include <tombolo/framework/program/report/run_report.hpp>
#include <tombolo/platform/json/json.hpp>

#include "framework/program/programs.hpp"

using namespace tombolo;
using Catch::Contains;

namespace {

RunReport some_report() {
  RunReport report;
  report.name = "a \"program\"";
  report.collectives = "tombolo";
  report.how = "speed on 2 of 3 ranks, 4 panels";
  report.overlaps = report.ran = true;
  report.ranks = 3;
  report.slices = {"rows", "columns"};
  report.tasks = {{"scatterv A", "scatterv", "flat", "", 1.0 / 3, 0.25, 0.5},
                  {"step", "compute", "gemm", "loop", 2, 1, 1e-9}};
  report.loops = {{"loop", 100, 17, 2}};
  report.members = {{0, "here", {10, 1}, 0.5, 0.75, 3e9, {0.1, 0.2}}, {2, "there", {0, 3}, 0, 0, 0, {0, 1e300}}};
  report.seconds = 2;
  report.predicted_s = 2.5;
  report.bound_s = 1.25;
  return report;
}

}  // namespace

TEST_CASE("a report is read as it was written, to the last digit") {
  const RunReport report = some_report();
  const std::string text = to_json(report).dump();
  CHECK(to_json(run_report_from_json(Json::parse(text))).dump() == text);
  const RunReport none = run_report_from_json(to_json(RunReport{}));
  CHECK(none.tasks.empty());
  const RunReport again = run_report_from_json(to_json(report));
  CHECK(again.tasks[0].predicted_s == report.tasks[0].predicted_s);
  CHECK(again.loops[0].passes == 17);
  CHECK(again.members[1].seconds == report.members[1].seconds);
  CHECK(again.slices == report.slices);
  CHECK(again.error() == Approx(0.25));
}

TEST_CASE("an arrangement is read as it was written, and what is expected of it") {
  std::mt19937 random(1);
  for (const int ranks : {1, 3, 40}) {
    Chosen chosen;
    chosen.arrangement.members = all_in_order(ranks);
    chosen.arrangement.members.back() += 5;
    chosen.arrangement.overlaps = ranks > 1;
    chosen.arrangement.how = "so";
    for (const int panels : {1, 7}) {
      chosen.arrangement.divisions.push_back(test::random_division(1000, panels, ranks, random));
    }
    chosen.expected = some_report();
    chosen.plans = {"one", "", "another", "one"};
    const Chosen again = chosen_from_json(to_json(chosen));
    CHECK(again.arrangement == chosen.arrangement);
    CHECK(again.plans == chosen.plans);
    CHECK(to_json(again.expected) == to_json(chosen.expected));
  }
}

TEST_CASE("a report says to people what was expected and what was found") {
  RunReport report = some_report();
  const std::string ran = to_text(report);
  for (const char* const words :
       {"planned collectives", "speed on 2 of 3 ranks, 4 panels", "2 of 3 ranks", "collectives beside computation",
        "did 17 passes of loop, at most 100, shares changed 2 times", "scatterv A", "loop: step", "0.333333",
        "prediction off by +25.0 %", "there", "columns", "4.000"}) {
    CHECK_THAT(ran, Contains(words));
  }
  report.ran = false;
  report.collectives = "native";
  report.overlaps = false;
  report.loops[0].passes = 1;
  const std::string expected = to_text(report);
  CHECK_THAT(expected, Contains("native collectives"));
  CHECK_THAT(expected, Contains("reckons with 1 pass of loop"));
  report.loops[0] = {"loop", 7000, 100, 0};
  CHECK_THAT(to_text(report), Contains("reckons with 100 passes of loop, at most 7000\n"));
  report.loops[0] = {"loop", 7000, 7000, 0};
  CHECK_THAT(to_text(report), Contains("reckons with 7000 passes of loop\n"));
  for (const char* const words : {"prediction off", "reached G/s", "beside"}) {
    CHECK_FALSE(Contains(words).match(expected));
  }
}
