#include <functional>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/collectives/mapping/group_schedule.hpp>

using namespace tombolo;

namespace {

// Of latencies and gaps by sender and receiver, the root being the first.
GroupProblem problem(const std::vector<std::vector<Picoseconds>>& latency,
                     const std::vector<std::vector<Picoseconds>>& gap, std::vector<Picoseconds> inside) {
  GroupProblem problem{static_cast<int>(latency.size()), 0, {}, std::move(inside)};
  for (std::size_t i = 0; i < latency.size(); ++i) {
    for (std::size_t j = 0; j < latency.size(); ++j) problem.messages.push_back({gap[i][j], latency[i][j]});
  }
  return problem;
}

GroupProblem random_problem(int groups, std::mt19937& random) {
  const auto draw = [&random] { return static_cast<Picoseconds>(1 + random() % 1000); };
  GroupProblem drawn{groups, static_cast<int>(random() % static_cast<unsigned>(groups)), {}, {}};
  for (int i = 0; i < groups * groups; ++i) drawn.messages.push_back({draw(), draw()});
  for (int i = 0; i < groups; ++i) drawn.inside.push_back(draw());
  return drawn;
}

// When all groups are through, each serving in its order, and then inside.
Picoseconds makespan(const GroupProblem& of, const GroupTree& tree) {
  const std::function<Picoseconds(int, Picoseconds)> through = [&](int group, Picoseconds free) {
    Picoseconds last = 0;
    for (const int to : tree[static_cast<std::size_t>(group)]) {
      last = std::max(last, through(to, free + of.message(group, to).whole()));
      free += of.message(group, to).gap;
    }
    return std::max(last, free + of.inside_of(group));
  };
  return through(of.root, 0);
}

constexpr Picoseconds x = 0;  // from a group to itself

}  // namespace

TEST_CASE("every schedule reaches every group once, whatever the problem") {
  std::mt19937 random(6);
  for (int groups = 1; groups <= 20; ++groups) {
    const GroupProblem drawn = random_problem(groups, random);
    for (const GroupSchedule* schedule : all_schedules()) {
      const GroupTree tree = schedule->tree(drawn);
      std::vector<int> reached(static_cast<std::size_t>(groups), 0);
      const std::function<void(int)> walk = [&](int group) {
        ++reached[static_cast<std::size_t>(group)];
        for (const int to : tree[static_cast<std::size_t>(group)]) walk(to);
      };
      walk(drawn.root);
      INFO(schedule->name << " over " << groups);
      CHECK(reached == std::vector<int>(static_cast<std::size_t>(groups), 1));
    }
  }
}

TEST_CASE("the fastest schedule is as fast as the fastest of the others, by its finish") {
  std::mt19937 random(12);
  for (int groups = 1; groups <= 20; ++groups) {
    const GroupProblem drawn = random_problem(groups, random);
    const GroupTree fastest = fastest_schedule.tree(drawn);
    CHECK(finish(drawn, fastest) == makespan(drawn, fastest));
    Picoseconds least = never;
    for (const GroupSchedule* schedule : schedules_by_links()) {
      least = std::min(least, makespan(drawn, schedule->tree(drawn)));
    }
    least = std::min(least, makespan(drawn, binomial_schedule.tree(drawn)));
    CHECK(makespan(drawn, fastest) == least);
  }
}

TEST_CASE("the binomial schedule has the levels of a binomial tree, whatever the root") {
  std::mt19937 random(13);
  for (int groups = 1; groups <= 33; ++groups) {
    const GroupProblem drawn = random_problem(groups, random);
    const GroupTree tree = binomial_schedule.tree(drawn);
    int rounds = 0;
    while ((1 << rounds) < groups) ++rounds;
    CHECK(tree[static_cast<std::size_t>(drawn.root)].size() == static_cast<std::size_t>(rounds));
  }
}

TEST_CASE("flat serves all from the root, FEF goes along the shortest edges, ECEF where it is soonest there") {
  // 0 - 1 is short, 1 - 2 shorter than 0 - 2; but gaps of 1 are long.
  const GroupProblem worked = problem({{x, 1, 4, 9}, {1, x, 2, 9}, {4, 2, x, 3}, {9, 9, 3, x}},
                                      {{x, 2, 2, 2}, {9, x, 9, 9}, {2, 2, x, 2}, {2, 2, 2, x}}, {0, 0, 0, 0});
  CHECK(flat_schedule.tree(worked) == GroupTree{{1, 2, 3}, {}, {}, {}});
  CHECK(fef_schedule.tree(worked) == GroupTree{{1}, {2}, {3}, {}});
  // 1 is there at 3. From 0, which is free at 2, 2 is there at 8 and 3 at 13; from 1 at 14. Then 3 from 2 at 13 too,
  // from 0, free at 4, at 15.
  CHECK(ecef_schedule.tree(worked) == GroupTree{{1, 2}, {}, {3}, {}});
}

TEST_CASE(
    "lookahead prefers whom it is quick to go on from, with inner times the one behind whom little or much waits") {
  // 1 is near the root but far from the others; 2 is a little farther and near to 3.
  const GroupProblem hub = problem({{x, 2, 3, 20}, {2, x, 30, 30}, {3, 30, x, 1}, {20, 30, 1, x}},
                                   {{x, 1, 1, 1}, {1, x, 1, 1}, {1, 1, x, 1}, {1, 1, 1, x}}, {0, 0, 0, 0});
  CHECK(ecef_schedule.tree(hub) == GroupTree{{1, 2}, {}, {3}, {}});
  CHECK(ecef_la_schedule.tree(hub) == GroupTree{{2, 1}, {}, {3}, {}});
  // All links alike: who has the slowest group left behind decides. With the least of g + L + T the choice is the first
  // whose nearest is quick; with the largest it is the slow group itself, for it leaves only quick ones behind.
  const GroupProblem slow = problem({{x, 5, 5, 5}, {5, x, 5, 5}, {5, 5, x, 5}, {5, 5, 5, x}},
                                    {{x, 1, 1, 1}, {1, x, 1, 1}, {1, 1, x, 1}, {1, 1, 1, x}}, {0, 1, 2, 50});
  CHECK(ecef_la_largest_schedule.tree(slow).front().front() == 3);
  CHECK(ecef_la_least_schedule.tree(slow).front().front() == 2);
  CHECK(bottom_up_schedule.tree(slow) == GroupTree{{3, 2, 1}, {}, {}, {}});
}

TEST_CASE("bottom-up counts what the sender still has to do") {
  // After the slowest group, 1, the root is busy for 10; 1 itself reaches 2 sooner.
  const GroupProblem busy = problem({{x, 1, 1}, {1, x, 1}, {1, 1, x}}, {{x, 10, 10}, {2, x, 2}, {2, 2, x}}, {0, 30, 5});
  CHECK(bottom_up_schedule.tree(busy) == GroupTree{{1}, {2}, {}});
}

TEST_CASE("where all links are alike, ECEF is as fast as any schedule") {
  std::mt19937 random(8);
  for (int groups = 2; groups <= 12; ++groups) {
    GroupProblem alike = random_problem(groups, random);
    alike.messages.assign(alike.messages.size(), alike.messages.front());
    alike.inside.assign(alike.inside.size(), 0);
    const Picoseconds ecef = makespan(alike, ecef_schedule.tree(alike));
    for (const GroupSchedule* schedule : all_schedules()) CHECK(ecef <= makespan(alike, schedule->tree(alike)));
  }
}
