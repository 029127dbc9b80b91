#include <numeric>

#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/size_class.hpp>
#include <tombolo/framework/program/plan/outlook.hpp>
#include <tombolo/framework/program/report/fill_in.hpp>

#include "framework/program/programs.hpp"

using namespace tombolo;
using namespace tombolo::test;

namespace {

Outlook look(const Declaration& program, const Arrangement& arranged, const Speeds& speeds, Planner& planner,
             bool native = false) {
  Costs costs(program, arranged, speeds, planner, native);
  return outlook(program, arranged, costs, expected_passes(program));
}

std::vector<std::int64_t> random_speeds(int ranks, std::mt19937& random) {
  std::vector<std::int64_t> speeds;
  for (int r = 0; r < ranks; ++r) speeds.push_back(static_cast<std::int64_t>(1 + random() % 8) * 1'000'000'000);
  return speeds;
}

RunReport report_of(const Declaration& program, const Arranged& arranged, const Speeds& speeds) {
  RunReport report;
  report.slices = {"rows"};
  report.tasks.resize(program.tasks.size());
  fill_in(program, arranged, speeds, expected_passes(program), report);
  return report;
}

}  // namespace

TEST_CASE("what tasks add is the makespan, to which bounds come near at most") {
  std::mt19937 random(1);
  for (const int ranks : {1, 2, 3, 8}) {
    for (const int panels : {1, 3}) {
      for (const bool overlaps : {false, true}) {
        for (const Declaration& program : {product(60, 40, 30, ranks / 2), plate(60, 100, 1, 7)}) {
          const Speeds speeds = gemm_speeds(random_speeds(ranks, random));
          Planner planner = links(50, 125);
          const int cut = can_be_panels(program, 0) ? panels : 1;
          const Arrangement arranged = arrangement({divided(program.slices[0], speeds, cut)}, overlaps);
          const Outlook expected = look(program, arranged, speeds, planner);
          Picoseconds sum = 0;
          for (std::size_t t = 0; t < program.tasks.size(); ++t) {
            sum += expected.tasks[t].predicted * (program.tasks[t].loop < 0 ? 1 : 7);
          }
          CHECK(sum == expected.makespan);
          const RunReport report = report_of(program, {arranged, expected}, speeds);
          CHECK(report.predicted_s == Approx(seconds(expected.makespan)));
          CHECK(report.bound_s <= report.predicted_s);
          CHECK(report.members.size() == static_cast<std::size_t>(ranks));
        }
      }
    }
  }
}

TEST_CASE("actions begin when those before them are done; only what returns goes beside what is sent") {
  const Declaration program = product(64, 50, 50);
  const Speeds speeds = gemm_speeds({1'000'000'000, 2'000'000'000, 3'000'000'000});
  Planner planner = links(50, 125);
  int beside = 0;
  for (const bool overlaps : {false, true}) {
    const Arrangement arranged = arrangement({divided(program.slices[0], speeds, 4)}, overlaps);
    const auto operation = [&](const Action& action) {
      const auto request = request_of(program, arranged, action, 0);
      return request ? std::optional(request->operation) : std::nullopt;
    };
    const Outlook expected = look(program, arranged, speeds, planner);
    const std::vector<Action> actions = actions_of(program, arranged, 0, 4);
    const std::vector<ActionTimes>& times = expected.sections.at(0);
    REQUIRE(times.size() == actions.size());
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const bool talks = program.tasks[static_cast<std::size_t>(actions[i].task)].communicates();
      for (std::size_t r = 0; r < 3; ++r) {
        CHECK(times[i].end[r] >= times[i].start[r]);
        for (const int j : actions[i].after) CHECK(times[i].start[r] >= times[static_cast<std::size_t>(j)].end[r]);
        for (std::size_t j = 0; j < i; ++j) {
          const std::pair both(operation(actions[i]), operation(actions[j]));
          const bool opposite =
              both == std::pair(std::optional(Operation::scatterv), std::optional(Operation::gatherv)) ||
              both == std::pair(std::optional(Operation::gatherv), std::optional(Operation::scatterv));
          if (opposite && overlaps) {
            CHECK(times[i].start[r] >= times[j].start[r]);
            beside += times[i].start[r] < times[j].end[r] ? 1 : 0;
            continue;
          }
          const bool same = talks == program.tasks[static_cast<std::size_t>(actions[j].task)].communicates();
          if (same || !overlaps) CHECK(times[i].start[r] >= times[j].end[r]);
        }
      }
    }
  }
  CHECK(beside > 0);
}

TEST_CASE("results return while the next part is sent") {
  constexpr std::int64_t rows = 1000;
  Declaration program = product(rows, 1000, 1000);
  program.tasks = {program.tasks[0], program.tasks[2], program.tasks[3]};
  program.tasks[1].wholes = {};
  program.tasks[1].operations = 1;
  const Speeds speeds = gemm_speeds({1'000'000'000, 1'000'000'000});
  Planner planner = links(1, 80);
  // 8 MB at 80 MB/s are a tenth of a second, there and back.
  const auto makespan = [&](int panels, bool overlaps) {
    const std::vector<std::vector<std::int64_t>> shares(static_cast<std::size_t>(panels), {0, rows / panels});
    return seconds(look(program, arrangement({Division(shares)}, overlaps), speeds, planner).makespan);
  };
  CHECK(makespan(10, false) == Approx(0.2).epsilon(0.01));
  CHECK(makespan(1, true) == Approx(0.2).epsilon(0.01));
  CHECK(makespan(10, true) == Approx(0.11).epsilon(0.01));
  CHECK(makespan(50, true) == Approx(0.102).epsilon(0.01));
}

TEST_CASE("two halves of which each travels while the other is computed hide a quarter") {
  const std::int64_t rows = 1000;
  Declaration program = product(rows, 1, 1000);
  program.tasks = {program.tasks[0], program.tasks[2]};
  program.tasks[1].wholes = {};
  // 8 MB at 80 MB/s are a tenth of a second, and so is what is done with them.
  program.tasks[1].operations = 1e5;
  const Speeds speeds = gemm_speeds({1'000'000'000, 1'000'000'000});
  Planner planner = links(1, 80);
  const auto makespan = [&](std::vector<std::vector<std::int64_t>> panels, bool overlaps) {
    return seconds(look(program, arrangement({Division(std::move(panels))}, overlaps), speeds, planner).makespan);
  };
  CHECK(makespan({{0, rows}}, false) == Approx(0.2).epsilon(0.01));
  CHECK(makespan({{0, rows}}, true) == Approx(0.2).epsilon(0.01));
  CHECK(makespan({{0, rows / 2}, {0, rows / 2}}, false) == Approx(0.2).epsilon(0.01));
  CHECK(makespan({{0, rows / 2}, {0, rows / 2}}, true) == Approx(0.15).epsilon(0.01));
}

TEST_CASE("a halo is exchanged while the inner rows are computed") {
  Declaration program = plate(4000, 1000, 1, 100);
  program.tasks.erase(program.tasks.begin() + 2);
  program.loops[0].end = 3;
  const Speeds speeds = gemm_speeds({1'000'000'000, 1'000'000'000, 1'000'000'000});
  Planner planner = links(1000, 80);
  const Division division = divided(program.slices[0], speeds);
  const Outlook apart = look(program, arrangement({division}), speeds, planner);
  const Outlook beside = look(program, arrangement({division}, true), speeds, planner);
  const Picoseconds halo = apart.tasks[0].predicted;
  CHECK(halo > 1'000'000'000);
  CHECK(beside.makespan <= apart.makespan - 99 * halo);
}

TEST_CASE("loops take as many times as there are passes, which may be none") {
  const Speeds speeds = gemm_speeds({1'000'000'000, 3'000'000'000});
  Planner planner = links(50, 125);
  const auto makespan = [&](std::int64_t most) {
    const Declaration program = plate(100, 100, 1, most);
    return look(program, arrangement({divided(program.slices[0], speeds)}), speeds, planner).makespan;
  };
  CHECK(makespan(0) == 0);
  CHECK(makespan(1) > 0);
  CHECK(makespan(10) == 10 * makespan(1));
  for (const std::int64_t most : {7, 7000}) {
    Declaration program = plate(4, 4, 1, most);
    program.loops[0].stops = false;
    CHECK(expected_passes(program) == std::vector<std::int64_t>{most});
    program.loops[0].stops = true;
    CHECK(expected_passes(program) == std::vector<std::int64_t>{std::min<std::int64_t>(most, 100)});
  }
}

TEST_CASE("tasks add what is later than all before, and sections are loops or what is between them") {
  const std::vector<Action> actions{{.task = 3}, {.task = 4, .panel = 0}, {.task = 5}, {.task = 4, .panel = 1}};
  const std::vector<std::int64_t> ends{10, 30, 20, 35};
  const Section section{3, 6};
  CHECK(added<std::int64_t>(actions, ends, section, 4) == std::vector<std::int64_t>{6, 25, 0});
  Declaration program;
  for (const int loop : {-1, -1, 0, 0, 1, -1}) program.tasks.push_back({.loop = loop});
  const std::vector<Section> sections = sections_of(program);
  REQUIRE(sections.size() == 4);
  CHECK((sections[0].first == 0 && sections[0].end == 2 && sections[0].loop == -1));
  CHECK((sections[1].first == 2 && sections[1].end == 4 && sections[1].loop == 0));
  CHECK((sections[2].first == 4 && sections[2].end == 5 && sections[2].loop == 1));
  CHECK((sections[3].first == 5 && sections[3].end == 6));
  CHECK(sections_of(Declaration{}).empty());
}

TEST_CASE("native collectives are taken as those that the paper names, one after the other") {
  const Declaration program = product(64, 50, 50);
  const Speeds speeds = gemm_speeds({1'000'000'000, 2'000'000'000, 3'000'000'000});
  Planner planner = links(50, 125);
  const Arrangement arranged = arrangement({divided(program.slices[0], speeds)});
  Costs native(program, arranged, speeds, planner, true);
  CHECK_THAT(native.how(0), Catch::StartsWith("native, taken as flat"));
  CHECK_THAT(native.how(1), Catch::StartsWith("native, taken as binomial"));
  CHECK(native.how(2) == "gemm");
  Costs planned(program, arranged, speeds, planner, false);
  CHECK_FALSE(Catch::StartsWith("native").match(planned.how(0)));
}

TEST_CASE("plans of other panels serve where the requests are alike, and nowhere else") {
  Planner planner = links(50, 125);
  const Declaration program = product(60, 40, 30, 0);
  const Speeds speeds = gemm_speeds({4'000'000'000, 1'000'000'000, 2'000'000'000});
  const Arrangement whole = arrangement({divided(program.slices[0], speeds, 1)});
  const Arrangement cut = arrangement({divided(program.slices[0], speeds, 5)}, true);
  Costs of_whole(program, whole, speeds, planner, false);
  outlook(program, whole, of_whole, expected_passes(program));
  PlansByTask others = of_whole.plans();
  CHECK(others.size() == 3);
  for (auto& [task, plan] : others) plan = Plan(plan.request(), *algorithms_for(plan.request()).back());
  Costs with_others(program, cut, speeds, planner, false, others);
  Costs alone(program, cut, speeds, planner, false);
  for (const auto& [task, plan] : others) {
    const Plan found = *with_others.plan({task});
    const Plan own = *alone.plan({task});
    CHECK(found.request() == own.request());
    const bool serves = alike(found.request(), plan.request());
    CHECK(serves == (sizes(plan.request().operation) == Sizes::vector));  // blocks are of a fifth of the rows
    CHECK(&found.algorithm() == (serves ? &plan.algorithm() : &own.algorithm()));
  }
}
