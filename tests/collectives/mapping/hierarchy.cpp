#include <algorithm>
#include <functional>

#include <catch2/catch.hpp>

#include <tombolo/collectives/mapping/hierarchy.hpp>
#include <tombolo/platform/description/members.hpp>

#include "collectives/mapping/hierarchies.hpp"
#include "platform/part_of_platform.hpp"
#include "platform/random_platform.hpp"

using namespace tombolo;

namespace {

using Group = Hierarchy::Group;

void check_group(const Group& group) {
  CHECK(std::is_sorted(group.ranks.begin(), group.ranks.end()));
  CHECK(group.children.size() != 1);
  if (group.children.empty()) return;
  std::vector<Rank> all;
  for (const Group& child : group.children) {
    REQUIRE_FALSE(child.ranks.empty());
    all.insert(all.end(), child.ranks.begin(), child.ranks.end());
    check_group(child);
  }
  std::sort(all.begin(), all.end());
  CHECK(all == group.ranks);
}

// But for what groups of ranks of one host are called.
bool same(const Group& a, const Group& b) {
  return a.ranks == b.ranks && (a.kind == Level::Kind::group) == (b.kind == Level::Kind::group) &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(), same);
}

}  // namespace

TEST_CASE("the groups of a landscape share out its ranks, of any platform and any part of it in any order") {
  RandomPlatform platforms(4);
  std::mt19937 random(4);
  for (int ranks = 1; ranks <= 40; ++ranks) {
    const Platform platform = platforms.make(ranks);
    check_group(Hierarchy(platform).whole());
    CHECK(Hierarchy(platform).ranks() == ranks);
    const int count = 1 + static_cast<int>(random() % static_cast<unsigned>(ranks));
    const std::vector<Rank> members = test::some_ranks(ranks, count, random);
    const Hierarchy part(platform, members);
    check_group(part.whole());
    CHECK(same(part.whole(), Hierarchy(part_of_platform(platform, members)).whole()));
    CHECK(part.whole().ranks == all_in_order(static_cast<int>(members.size())));
    check_group(part.of_clusters().whole());
    std::vector<Rank> all;
    for (const Group* cluster : part.clusters()) all.insert(all.end(), cluster->ranks.begin(), cluster->ranks.end());
    std::sort(all.begin(), all.end());
    CHECK(all == part.whole().ranks);
  }
}

TEST_CASE("members have numbers of their own, and levels with one child are passed over") {
  // Clusters {0, 3, 5, 7}, on hosts {0, 5}, {3, 7}, and {1, 2, 4, 6}, one host each.
  Platform platform = clusters_of_hosts({{2, 2}, {1, 1, 1, 1}});
  const Hierarchy whole(platform);
  CHECK(whole.clusters().size() == 2);
  CHECK(whole.clusters()[0]->children.size() == 2);
  CHECK(whole.clusters()[1]->children.empty());
  const std::vector<Rank> second = whole.clusters()[1]->ranks;
  CHECK(Hierarchy(platform, second) == Hierarchy(4));
  const std::vector<Rank> host = whole.clusters()[0]->children[0].ranks;
  const Hierarchy both(platform, {second[0], host[1], host[0]});
  REQUIRE(both.whole().children.size() == 2);
  CHECK(both.whole().children[0].ranks == std::vector<Rank>{0});
  CHECK(both.whole().children[1].ranks == std::vector<Rank>{1, 2});
  CHECK_THROWS_WITH(Hierarchy(platform, {1, 1}), Catch::Contains("rank 1 as member 1"));
  CHECK_THROWS_WITH(Hierarchy(platform, {8}), Catch::Contains("rank 8"));
}
