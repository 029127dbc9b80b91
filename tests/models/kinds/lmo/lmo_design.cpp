#include <set>

#include <catch2/catch.hpp>

#include <tombolo/models/kinds/lmo/lmo_design.hpp>

#include "models/test_platforms.hpp"
#include "platform/random_platform.hpp"

using namespace tombolo;

TEST_CASE("designs name every pair that their triplets and classes need, and every rank is a root") {
  std::vector<Platform> platforms = test_platforms();
  for (unsigned seed = 0; seed < 40; ++seed) platforms.push_back(RandomPlatform(seed).make(1 + static_cast<int>(seed)));
  for (const Platform& platform : platforms) {
    INFO(platform.ranks() << " ranks");
    const PairClasses classes(platform);
    const LmoDesign design = lmo_design(classes, platform.ranks());
    CHECK(std::is_sorted(design.pairs.begin(), design.pairs.end()));
    CHECK(std::set(design.triplets.begin(), design.triplets.end()).size() == design.triplets.size());
    for (const std::array<Rank, 3>& triplet : design.triplets) {
      CHECK(triplet[0] < triplet[1]);
      CHECK(triplet[1] < triplet[2]);
      for (const auto& [a, b] : {std::pair(0, 1), std::pair(0, 2), std::pair(2, 1)}) {
        const Rank x = triplet[static_cast<std::size_t>(a)];
        const Rank y = triplet[static_cast<std::size_t>(b)];
        REQUIRE(design.pair(x, y) < design.pairs.size());
        CHECK(design.pairs[design.pair(x, y)] == std::pair(std::min(x, y), std::max(x, y)));
      }
    }
    std::set<int> met;
    for (const auto& [a, b] : design.pairs) met.insert(classes.of(a, b));
    CHECK(static_cast<int>(met.size()) == classes.size());
    for (Rank rank = 0; rank < platform.ranks(); ++rank) {
      const std::vector<std::size_t>& roots = design.by_rank[static_cast<std::size_t>(rank)];
      CHECK(roots.empty() == platform.ranks() < 3);
      const std::size_t mates = classes.members(classes.cluster_of(rank)).size();
      for (const std::size_t root : roots) {
        const std::array<Rank, 3>& triplet = design.triplets[static_cast<std::size_t>(design.roots[root].triplet)];
        CHECK(triplet[static_cast<std::size_t>(design.roots[root].place)] == rank);
        const auto near = std::count_if(triplet.begin(), triplet.end(), [&](Rank other) {
          return classes.cluster_of(other) == classes.cluster_of(rank);
        });
        CHECK(static_cast<std::size_t>(near) == std::min<std::size_t>(mates, 3));
      }
    }
  }
}

TEST_CASE("up to 24 ranks are in all triplets, more are in a balanced sample") {
  const auto design = [](int ranks) { return lmo_design(PairClasses(flat_cluster(ranks)), ranks); };
  CHECK(design(16).triplets.size() == 560);
  CHECK(design(16).pairs.size() == 120);
  CHECK(design(24).triplets.size() == 2024);
  for (const int ranks : {25, 26, 27, 100}) {
    const LmoDesign sample = design(ranks);
    CHECK(sample.triplets.size() <= std::size_t{64} * static_cast<std::size_t>((ranks + 2) / 3));
    for (const std::vector<std::size_t>& roots : sample.by_rank) {
      CHECK(roots.size() > 50);  // some orders have the same triplet
      CHECK(roots.size() <= 96);
    }
    CHECK(design(ranks).triplets == sample.triplets);
  }
}

TEST_CASE("a cluster of 64 times 16 ranks is designed at once") {
  const Platform platform = clusters_of_hosts(std::vector<std::vector<int>>(64, std::vector<int>(16, 1)));
  const LmoDesign design = lmo_design(PairClasses(platform), platform.ranks());
  CHECK(design.triplets.size() == std::size_t{64} * 560);
  CHECK(design.pairs.size() == std::size_t{64} * 120 + std::size_t{3} * 64 * 63 / 2);
}
