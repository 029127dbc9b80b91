#include <catch2/catch.hpp>

#include <tombolo/collectives/topology/detours.hpp>

using namespace tombolo;

TEST_CASE("detours know the pair of clusters of two ranks") {
  const Detours detours({{0, 3}, {1}, {2, 4}}, {{3}, {1}, {4}}, {{.from = 2, .to = 0, .ways = {{.over = {1}}}}});
  CHECK(detours.ranks() == 5);
  for (Rank from = 0; from < 5; ++from) {
    for (Rank to = 0; to < 5; ++to) {
      const bool has = (from == 2 || from == 4) && (to == 0 || to == 3);
      CHECK(detours.pair_of(from, to) == (has ? 0 : -1));
    }
  }
  CHECK(Detours().empty());
  CHECK_FALSE(detours == Detours());
  CHECK(detours == Detours(detours.clusters(), detours.relays(), detours.pairs()));
}

TEST_CASE("detours that contradict themselves are refused") {
  const Partition clusters{{0}, {1}, {2}};
  const auto refused = [](const Partition& parts, const Partition& relays, const std::vector<Detours::Pair>& pairs,
                          const char* words) {
    CHECK_THROWS_WITH(Detours(parts, relays, pairs), Catch::Contains(words));
  };
  const auto pair = [](int from, int to, Detours::Way way) {
    return Detours::Pair{.from = from, .to = to, .ways = {std::move(way)}};
  };
  refused({{0}, {0}}, {{0}, {0}}, {}, "rank 0 in cluster 1");
  refused({{0}, {7}}, {{0}, {7}}, {}, "rank 7");
  refused(clusters, {{0}, {1}}, {}, "relays of 2 of 3");
  refused(clusters, {{0}, {2}, {}}, {}, "rank 2 as a relay of cluster 1");
  refused(clusters, clusters, {pair(0, 0, {})}, "cluster 0 to 0");
  refused(clusters, clusters, {pair(0, 3, {})}, "cluster 0 to 3");
  refused(clusters, clusters, {{.from = 0, .to = 1, .ways = {}}}, "0 ways");
  refused(clusters, clusters, {pair(0, 1, {}), pair(0, 1, {})}, "twice");
  refused(clusters, clusters, {pair(0, 1, {.weight = 0})}, "weight of 0");
  refused(clusters, clusters, {pair(0, 1, {.window = 0})}, "window of 0");
  refused(clusters, clusters, {pair(0, 1, {.over = {1}})}, "over cluster 1");
  refused(clusters, clusters, {pair(0, 1, {.over = {2, 2}})}, "over cluster 2");
  refused(clusters, {{0}, {1}, {}}, {pair(0, 1, {.over = {2}})}, "over cluster 2");
}
