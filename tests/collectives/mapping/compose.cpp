#include <catch2/catch.hpp>

#include <tombolo/collectives/mapping/compose.hpp>
#include <tombolo/collectives/topology/tree.hpp>

#include "collectives/mapping/hierarchies.hpp"
#include "models/random_models.hpp"

using namespace tombolo;

namespace {

std::vector<Inside> insides() {
  return {{"greedy", Inside::Greedy{}}, {"binomial", binomial_tree()}, {"chain", chain_tree()}, {"flat", flat_tree()}};
}

}  // namespace

TEST_CASE("a composed tree crosses between clusters, and between hosts, as often as it must") {
  std::mt19937 random(3);
  for (int ranks = 1; ranks <= 40; ++ranks) {
    const Platform platform = test::random_clusters(ranks, random);
    const Lmo model = RandomModels(platform, static_cast<unsigned>(ranks)).lmo(true);
    const Hierarchy hierarchy(platform);
    const MessageTimes times(model, ranks, 1000);
    const auto clusters = hierarchy.clusters();
    for (const GroupSchedule* schedule : all_schedules()) {
      for (const Inside& inside : insides()) {
        const bool blocks = random() % 2 == 0;
        const Rank root = static_cast<Rank>(random() % static_cast<unsigned>(ranks));
        const RankTree tree = compose(hierarchy, root, {{schedule}, {inside}, blocks, random() % 2 == 0}, times);
        INFO(schedule->name << " over " << inside.name << ", " << ranks << " ranks");
        CHECK(tree.roots() == std::vector<Rank>{root});
        CHECK(test::crossings(tree, clusters) == static_cast<int>(clusters.size()) - 1);
        std::vector<const Hierarchy::Group*> hosts;
        for (const auto* cluster : clusters) {
          for (const auto& host : cluster->children) hosts.push_back(&host);
          if (cluster->children.empty()) hosts.push_back(cluster);
        }
        CHECK(test::crossings(tree, hosts) == static_cast<int>(hosts.size()) - 1);
      }
    }
  }
}

TEST_CASE("below leaders no tree crosses between the outermost groups, and each has a leader") {
  std::mt19937 random(5);
  for (int ranks = 1; ranks <= 40; ++ranks) {
    const Platform platform = test::random_clusters(ranks, random);
    const Lmo model = RandomModels(platform, static_cast<unsigned>(ranks)).lmo(true);
    const Hierarchy hierarchy(platform);
    const MessageTimes times(model, ranks, 0);
    for (const Inside& inside : insides()) {
      const RankTree tree = compose_with_leaders(hierarchy, {{&ecef_schedule}, {inside}}, times);
      std::vector<const Hierarchy::Group*> outermost;
      for (const Hierarchy::Group& group : hierarchy.whole().children) outermost.push_back(&group);
      if (outermost.empty()) outermost.push_back(&hierarchy.whole());
      CHECK(tree.roots().size() == outermost.size());
      CHECK(test::crossings(tree, outermost) == 0);
    }
  }
}

TEST_CASE("between clusters a rank serves before it serves its own") {
  const Platform platform = clusters_of_hosts({{1, 1, 1}, {1, 1, 1}});
  const Hierarchy hierarchy(platform);
  const Lmo model = RandomModels(platform, 1).lmo(true);
  const RankTree tree = compose(hierarchy, 0, {{&flat_schedule}, {{"flat", flat_tree()}}}, {model, 6, 10});
  const std::vector<Rank> served = tree.role(0, Direction::down).children;
  REQUIRE(served.size() == 3);
  const std::vector<Rank>& second = hierarchy.clusters()[1]->ranks;
  CHECK(std::binary_search(second.begin(), second.end(), served.front()));
}

TEST_CASE("every innermost group has the tree that is stated for it, and further ones the last") {
  const Platform platform = clusters_of_hosts({{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}});
  const Hierarchy hierarchy(platform);
  REQUIRE(innermost_groups(hierarchy).size() == 3);
  const Lmo model = RandomModels(platform, 1).lmo(true);
  const Composition composition{{&flat_schedule}, {{"chain", chain_tree()}, {"flat", flat_tree()}}};
  const RankTree tree = compose(hierarchy, 0, composition, {model, 12, 10});
  std::vector<std::size_t> widest;
  for (const Hierarchy::Group* group : innermost_groups(hierarchy)) {
    std::size_t most = 0;
    for (const Rank rank : group->ranks) {
      const std::vector<Rank> children = tree.role(rank, Direction::down).children;
      most = std::max(most, static_cast<std::size_t>(std::ranges::count_if(children, [&](Rank child) {
                        return std::ranges::binary_search(group->ranks, child);
                      })));
    }
    widest.push_back(most);
  }
  CHECK(widest == std::vector<std::size_t>{1, 3, 3});
}

TEST_CASE("one message takes a shallow tree, many in a row the tree whose ranks send least") {
  const Platform platform = clusters_of_hosts({{1, 1, 1, 1, 1, 1, 1, 1}});
  const std::vector<Rank> ranks{0, 1, 2, 3, 4, 5, 6, 7};
  // 100 us, and 10 us for the bytes.
  const Hockney model({.latency = 100'000'000, .rate = 100'000'000, .longest_latency = 100'000'000});
  const MessageTimes times(model, 8, 1000);
  const std::vector<Inside> all = insides();
  CHECK(fastest_inside(all, ranks, times, 1).name != "chain");
  CHECK(fastest_inside(all, ranks, times, 1000).name == "chain");
}

TEST_CASE("serving longest first is never later") {
  std::mt19937 random(7);
  for (int ranks = 2; ranks <= 40; ++ranks) {
    const Platform platform = test::random_clusters(ranks, random);
    const Lmo model = RandomModels(platform, static_cast<unsigned>(ranks)).lmo(true);
    const MessageTimes times(model, ranks, 5000);
    Served served(static_cast<std::size_t>(ranks));
    for (Rank rank = 1; rank < ranks; ++rank) served[random() % static_cast<unsigned>(rank)].push_back(rank);
    const Picoseconds before = time_below(served, 0, times);
    serve_longest_first(served, 0, times);
    CHECK(time_below(served, 0, times) <= before);
    CHECK(RankTree::of_children({0}, served).ranks() == ranks);
  }
}
