#include <algorithm>

#include <catch2/catch.hpp>

#include <tombolo/framework/program/plan/workers.hpp>

#include "framework/program/programs.hpp"
#include "models/test_platforms.hpp"

using namespace tombolo;
using namespace tombolo::test;

TEST_CASE("parts of the ranks are ascending, smaller than all, and have the roots") {
  std::mt19937 random(1);
  for (int ranks = 1; ranks <= 23; ++ranks) {
    Workers workers{{}, {{{}}}};
    std::vector<std::int64_t> speeds;
    for (Rank rank = 0; rank < ranks; ++rank) {
      speeds.push_back(static_cast<std::int64_t>(1 + random() % 9) * 1'000'000);
      if (random() % 4 == 0 && !workers.parts[0].back().empty()) workers.parts[0].emplace_back();
      workers.parts[0].back().push_back(rank);
    }
    workers.speeds = gemm_speeds(speeds);
    CHECK(ranks_of(workers) == ranks);
    const Rank root = static_cast<Rank>(random() % static_cast<unsigned>(ranks));
    const auto sets = member_sets(product(100, 10, 10, root), workers);
    CHECK(sets.empty() == (ranks == 1));
    CHECK(sets.contains({root}) == (ranks > 1));
    for (const std::vector<Rank>& members : sets) {
      CHECK(members.size() < static_cast<std::size_t>(ranks));
      CHECK(std::is_sorted(members.begin(), members.end()));
      CHECK(std::count(members.begin(), members.end(), root) == 1);
    }
  }
}

TEST_CASE("clusters inside groups are sets of their own, from the root's outwards") {
  const std::vector<RankParts> parts{{{0, 1, 2, 3}, {4, 5}, {6, 7}}, {{0, 1}, {2, 3}, {4, 5}, {6, 7}}};
  const Workers workers{gemm_speeds({1, 1, 1, 1, 1, 1, 5, 5}), parts};
  const auto nearest = [&](Rank root) {
    return nearest_first(parts, {root}, [](Rank rank) { return rank < 6 ? 1 : 5; });
  };
  CHECK(nearest(2) == RankParts{{2, 3}, {0, 1}, {6, 7}, {4, 5}});
  CHECK(nearest(5) == RankParts{{4, 5}, {6, 7}, {0, 1}, {2, 3}});
  const auto sets = member_sets(product(100, 10, 10, 2), workers);
  for (const std::vector<Rank>& members : RankParts{{2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3, 6, 7}}) {
    CHECK(sets.contains(members));
  }
  CHECK(sets_near_roots(product(100, 10, 10, 2), workers) == std::set<std::vector<Rank>>{{2, 3}, {0, 1, 2, 3}});
}

TEST_CASE("the parts of a platform by depth are its groups and clusters, or all ranks") {
  Platform platform = clusters_of_hosts({{1, 1}, {1}, {2}});
  CHECK(parts_by_depth(platform.levels) == std::vector<RankParts>{{{0, 1}, {2}, {3, 4}}});
  Level group{.kind = Level::Kind::group, .name = "both", .ranks = {0, 1, 2}, .children = {}};
  std::vector<Level>& children = platform.levels.children;
  group.children.assign(children.begin(), children.begin() + 2);
  children = {group, children[2]};
  CHECK(parts_by_depth(platform.levels) == std::vector<RankParts>{{{0, 1, 2}, {3, 4}}, {{0, 1}, {2}, {3, 4}}});
  CHECK(parts_by_depth(clusters_of_hosts({{1, 1}}).levels) == std::vector<RankParts>{{{0, 1}}});
}
