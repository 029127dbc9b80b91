#include <map>
#include <utility>

#include <catch2/catch.hpp>

#include <tombolo/collectives/algorithms/reduce_scatter/relayed_sums.hpp>

#include "collectives/random_trees.hpp"
#include "collectives/requests.hpp"

using namespace tombolo;
using test::random_groups;
using test::Spread;

TEST_CASE("what relays have of a block is what its owner expects, and each element of it once") {
  std::mt19937 random(6);
  for (int ranks = 1; ranks <= 30; ++ranks) {
    const NestedGroups groups = random_groups(ranks, random);
    for (const std::int64_t each : {0, 1, 7}) {
      const RelayedSums sums(groups, Blocks(test::counts(ranks, Spread::uneven, random)), each);
      for (int level = 1; level < groups.levels(); ++level) {
        for (int first = 0; first < ranks; first = groups.group(level, first).end()) {
          const Group& group = groups.group(level, first);
          using Parts = std::vector<std::pair<std::int64_t, std::int64_t>>;  // offsets and counts
          std::map<std::pair<int, int>, Parts> sent;                         // by relay and owner
          for (std::int64_t turn = 0; turn < sums.turns(level, group); ++turn) {
            for (int relay = 0; relay < group.size; ++relay) {
              for (const auto& [owner, offset, count] : sums.slice(level, group, relay, turn)) {
                sent[{first + relay, owner}].emplace_back(offset, count);
              }
            }
          }
          std::map<std::pair<int, int>, Parts> expected;
          for (const Group& other : sums.others(level, group)) {
            for (int owner = other.first; owner < other.end(); ++owner) {
              std::int64_t end = 0;
              for (const auto& [relay, offset, count] : sums.arriving(level, group, owner)) {
                CHECK(offset == end);
                end += count;
                expected[{relay, owner}].emplace_back(offset, count);
              }
              CHECK(end == sums.count(owner));
            }
          }
          CHECK(sent == expected);
        }
      }
    }
  }
}

TEST_CASE("every place of a group hands its contribution to a bundle on once, towards the relay") {
  std::mt19937 random(5);
  for (int ranks = 1; ranks <= 30; ++ranks) {
    const NestedGroups groups = random_groups(ranks, random);
    const RelayedSums sums(groups, Blocks(test::counts(ranks, Spread::equal, random)), 0);
    for (int level = 1; level < groups.levels(); ++level) {
      for (int first = 0; first < ranks; first = groups.group(level, first).end()) {
        const Group& group = groups.group(level, first);
        for (int relay = 0; relay < group.size; ++relay) {
          std::size_t received = 0;
          for (int place = first; place < group.end(); ++place) {
            const RelayedSums::Role role = sums.role(level, group, relay, place);
            received += role.from.size();
            CHECK((role.to < 0) == (place == first + relay));
            for (const int from : role.from) CHECK(sums.role(level, group, relay, from).to == place);
          }
          CHECK(received == static_cast<std::size_t>(group.size - 1));
        }
      }
    }
  }
}

TEST_CASE("relays have equal shares of what each other group owns") {
  std::mt19937 random(4);
  for (const int ranks : {3, 7, 20, 33}) {
    const NestedGroups groups = random_groups(1, ranks, 3, random);
    const RelayedSums sums(groups, Blocks(std::vector<std::int64_t>(static_cast<std::size_t>(ranks), 1000)), 0);
    const Group& group = groups.group(1, 0);
    for (const Group& other : sums.others(1, group)) {
      for (int relay = 0; relay < group.size; ++relay) {
        std::int64_t share = 0;
        for (const auto& part : sums.slice(1, group, relay, 0)) {
          if (part.place >= other.first && part.place < other.end()) share += part.count;
        }
        CHECK(std::abs(share - std::int64_t{1000} * other.size / group.size) <= 1);
      }
    }
  }
}

TEST_CASE("groups in order have consecutive ranks, all that were in one group and side by side") {
  std::mt19937 random(3);
  for (int ranks = 1; ranks <= 40; ++ranks) {
    const NestedGroups groups = random_groups(3, ranks, 1 + static_cast<int>(random() % 4), random);
    const NestedGroups ordered = groups_in_order(groups);
    REQUIRE(ordered.levels() == groups.levels());
    for (Rank rank = 0; rank < ranks; ++rank) {
      CHECK(ordered.place(rank) == rank);
      if (rank == 0) continue;
      CHECK(ordered.common_level(rank - 1, rank) == groups.common_level(groups.place(rank - 1), groups.place(rank)));
    }
  }
}
