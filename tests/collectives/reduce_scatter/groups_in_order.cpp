#include <catch2/catch.hpp>

#include <tombolo/collectives/reduce_scatter/groups_in_order.hpp>

#include "collectives/random_trees.hpp"

using namespace tombolo;

TEST_CASE("groups in order have consecutive ranks, all that were in one group and side by side") {
  std::mt19937 random(3);
  for (int ranks = 1; ranks <= 40; ++ranks) {
    const LevelGroups groups(test::random_trees(3, ranks, 0, 1 + static_cast<int>(random() % 4), random));
    const LevelGroups ordered = groups_in_order(groups);
    REQUIRE(ordered.levels() == groups.levels());
    for (Rank rank = 0; rank < ranks; ++rank) {
      CHECK(ordered.place(rank) == rank);
      if (rank == 0) continue;
      CHECK(ordered.common_level(rank - 1, rank) == groups.common_level(groups.place(rank - 1), groups.place(rank)));
    }
  }
}
