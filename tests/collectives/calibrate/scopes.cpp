#include <algorithm>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/collectives/calibrate/scopes.hpp>

#include "models/test_platforms.hpp"
#include "platform/random_platform.hpp"

using namespace tombolo;

TEST_CASE("scopes are the clusters of several ranks, their first ranks, and all") {
  // Ranks are dealt in turn: c0 has 0, 1, 4; c1 has 2; c2 has 3, 5.
  const Platform platform = clusters_of_hosts({{2, 1}, {1}, {2}});
  CHECK(scopes_of(platform) ==
        std::vector<Scope>{
            {"c0", {0, 1, 4}}, {"c2", {3, 5}}, {"between clusters", {0, 2, 3}}, {"all", {0, 1, 2, 3, 4, 5}}});
  CHECK(scopes_of(flat_cluster(1)).empty());
  CHECK(scopes_of(flat_cluster(3)) == std::vector<Scope>{{"c0", {0, 1, 2}}});
  CHECK(scopes_of(clusters_of_hosts({{1}, {1}})).size() == 2);  // none inside clusters
}

TEST_CASE("on any platform scopes hold two ranks and more, ascending, and the last one all") {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const Platform platform = RandomPlatform(seed).make(1 + static_cast<int>(seed % 30));
    const std::vector<Scope> scopes = scopes_of(platform);
    INFO("seed " << seed);
    CHECK(scopes.empty() == (platform.ranks() == 1));
    for (const Scope& scope : scopes) {
      CHECK(scope.ranks.size() > 1);
      CHECK(std::adjacent_find(scope.ranks.begin(), scope.ranks.end(), std::greater_equal<>()) == scope.ranks.end());
    }
    if (!scopes.empty()) CHECK(scopes.back().ranks.size() == static_cast<std::size_t>(platform.ranks()));
  }
}

TEST_CASE("ranks are asked about in the narrowest scope that says something about them") {
  const Platform platform = clusters_of_hosts({{2, 1}, {1}, {2}});  // c0 has 0, 1, 4; c1 has 2; c2 has 3, 5
  CHECK(scope_among(platform, {4, 0}) == "c0");
  CHECK(scope_among(platform, {5, 3}) == "c2");
  CHECK(scope_among(platform, {3, 2}) == between_clusters);
  CHECK(scope_among(platform, {3, 4, 2}) == between_clusters);
  CHECK(scope_among(platform, {3, 5, 2}) == all_ranks);
  CHECK(scope_among(platform, {5}) == all_ranks);
  CHECK(scope_among(flat_cluster(3), {2, 1}) == "c0");
}

TEST_CASE("all ranks of any platform, in any order, are asked about in its last scope") {
  std::mt19937 random(3);
  for (unsigned seed = 0; seed < 100; ++seed) {
    const Platform platform = RandomPlatform(seed).make(2 + static_cast<int>(seed % 30));
    std::vector<Rank> all = scopes_of(platform).back().ranks;
    std::shuffle(all.begin(), all.end(), random);
    CHECK(scope_among(platform, all) == scopes_of(platform).back().name);
  }
}

TEST_CASE("some of a scope's ranks are spread evenly, the first among them") {
  for (int size = 1; size <= 40; ++size) {
    Scope scope{"c", {}};
    for (Rank rank = 0; rank < size; ++rank) scope.ranks.push_back(7 + 3 * rank);
    CHECK(some_of(scope, size) == scope.ranks);
    for (int count = 1; count <= size; ++count) {
      const std::vector<Rank> some = some_of(scope, count);
      REQUIRE(some.size() == static_cast<std::size_t>(count));
      CHECK(some.front() == 7);
      for (std::size_t i = 1; i < some.size(); ++i) {
        const int apart = (some[i] - some[i - 1]) / 3;
        CHECK((apart == size / count || apart == (size + count - 1) / count));
      }
    }
  }
}
