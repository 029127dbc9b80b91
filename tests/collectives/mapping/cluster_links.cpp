#include <algorithm>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/collectives/mapping/cluster_links.hpp>
#include <tombolo/collectives/mapping/hierarchy.hpp>
#include <tombolo/platform/description/members.hpp>

#include "platform/random_platform.hpp"

using namespace tombolo;

TEST_CASE("the clusters between which there are links are those of the hierarchy, of all ranks or of some") {
  std::mt19937 random(1);
  for (unsigned seed = 0; seed < 50; ++seed) {
    for (const int ranks : {2, 3, 9, 17, 33}) {
      const Platform platform = RandomPlatform(seed).make(ranks);
      std::vector<Rank> members = all_in_order(ranks);
      for (const bool all : {true, false}) {
        if (!all) {
          std::ranges::shuffle(members, random);
          members.resize(1 + random() % members.size());
        }
        const ClusterLinks links(platform, members);
        const Hierarchy hierarchy = Hierarchy(platform, members).of_clusters();
        if (links.size() < 2) continue;
        REQUIRE(hierarchy.clusters().size() == links.clusters().size());
        for (const Hierarchy::Group* cluster : hierarchy.clusters()) {
          const int number = links.cluster_of(cluster->ranks.front());
          CHECK(links.clusters()[static_cast<std::size_t>(number)] == cluster->ranks);
        }
      }
    }
  }
}
