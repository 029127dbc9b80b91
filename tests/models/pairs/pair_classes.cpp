#include <set>

#include <catch2/catch.hpp>

#include <tombolo/models/pairs/pair_classes.hpp>
#include <tombolo/units.hpp>

#include "models/test_platforms.hpp"
#include "platform/random_platform.hpp"

using namespace tombolo;

TEST_CASE("pairs of one host, one cluster and two clusters are classes of their own") {
  const PairClasses classes(small_platform());  // c1: a1 with 0 and 1, a2 with 2; c2: 3; c3: 4
  REQUIRE(classes.clusters() == 3);
  CHECK(classes.name(classes.of(0, 1)) == "c1, inside hosts");
  CHECK(classes.name(classes.of(0, 2)) == "c1");
  CHECK(classes.name(classes.of(2, 3)) == "c1 - c2");
  CHECK(classes.name(classes.of(4, 1)) == "c1 - c3");
  CHECK(classes.name(classes.of(3, 4)) == "c2 - c3");
  CHECK(classes.size() == 5);
  CHECK_THROWS_AS(classes.of(3, 3), Error);
}

TEST_CASE("every pair has a class that is symmetric, named after where the two are, and there for some pair") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    const Platform platform = RandomPlatform(seed).make(1 + static_cast<int>(seed % 24));
    const PairClasses classes(platform);
    const std::vector<const Level*> levels = clusters(platform.levels);
    std::set<int> met;
    for (Rank a = 0; a < platform.ranks(); ++a) {
      const auto& members = levels[static_cast<std::size_t>(classes.cluster_of(a))]->ranks;
      CHECK(std::find(members.begin(), members.end(), a) != members.end());
      for (Rank b = 0; b < a; ++b) {
        const int index = classes.of(a, b);
        REQUIRE(index >= 0);
        REQUIRE(index < classes.size());
        CHECK(classes.of(b, a) == index);
        met.insert(index);
        const int low = std::min(classes.cluster_of(a), classes.cluster_of(b));
        const int high = std::max(classes.cluster_of(a), classes.cluster_of(b));
        std::string name = levels[static_cast<std::size_t>(low)]->name;
        if (low != high) name += " - " + levels[static_cast<std::size_t>(high)]->name;
        const bool same = platform.processors[static_cast<std::size_t>(a)].host ==
                          platform.processors[static_cast<std::size_t>(b)].host;
        CHECK(classes.same_host(a, b) == same);
        CHECK(classes.name(index) == (same ? name + ", inside hosts" : name));
        CHECK(classes.between(index) == (low != high));
      }
    }
    CHECK(static_cast<int>(met.size()) == classes.size());
  }
}

TEST_CASE("samples are pairs of their class, each once, of different ranks as far as there are any") {
  std::vector<Platform> platforms = test_platforms();
  for (unsigned seed = 0; seed < 60; ++seed)
    platforms.push_back(RandomPlatform(seed).make(2 + static_cast<int>(seed % 15)));
  for (const Platform& platform : platforms) {
    const PairClasses classes(platform);
    for (int index = 0; index < classes.size(); ++index) {
      INFO(classes.name(index));
      std::size_t all = 0;
      for (Rank a = 0; a < platform.ranks(); ++a) {
        for (Rank b = 0; b < a; ++b) all += classes.of(a, b) == index ? 1 : 0;
      }
      for (const int most : {1, 2, 3, 7, 1000}) {
        const auto sample = classes.sample(index, most);
        CHECK(sample.size() == std::min(all, static_cast<std::size_t>(most)));
        std::set<std::pair<Rank, Rank>> different;
        for (const auto& [a, b] : sample) {
          REQUIRE(a != b);
          CHECK(classes.of(a, b) == index);
          different.insert({std::min(a, b), std::max(a, b)});
        }
        CHECK(different.size() == sample.size());
      }
      CHECK(classes.sample(index, 0).empty());
    }
  }
  const PairClasses classes(clusters_of_hosts({{1, 1, 1, 1, 1, 1, 1, 1}, {2, 2, 2, 1}, {8}}));
  for (int index = 0; index < classes.size(); ++index) {
    std::set<Rank> ranks;
    for (const auto& [a, b] : classes.sample(index, 3)) ranks.insert({a, b});
    CHECK(ranks.size() == 6);
  }
}
