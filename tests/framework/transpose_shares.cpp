#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/shares.hpp>
#include <tombolo/framework/transpose_shares.hpp>
#include <tombolo/platform/error.hpp>

#include "framework/platforms_with_ports.hpp"
#include "platform/random_platform.hpp"

using namespace tombolo;
using Counts = std::vector<std::int64_t>;

TEST_CASE("one cluster alone is the fastest where its uplink is slow, all where it is not") {
  Platform platform = with_ports({{1, 1, 1, 1}, {1, 1, 1}}, 1'000'000);
  const Counts memory = all_of(platform, 10'000'000);
  const Counts room = all_of(platform, plenty);
  const TransposeRanks ranks{&platform, memory, room};
  const MatrixShape a{4200, 4200};
  const Counts fast = shares_by_links(ranks, a, 8, true).weights;
  CHECK(std::count(fast.begin(), fast.end(), 0) == 0);
  for (Level& cluster : platform.levels.children) cluster.uplink = {100'000, 0};
  const TransposeShares slow = shares_by_links(ranks, a, 8, true);
  CHECK(slow.how == "by memory and links, over c0 alone");
  for (Rank rank = 0; rank < 7; ++rank) {
    const auto& of_c0 = platform.levels.children.front().ranks;
    const bool inside = std::find(of_c0.begin(), of_c0.end(), rank) != of_c0.end();
    CHECK((slow.weights[static_cast<std::size_t>(rank)] > 0) == inside);
  }
  const Counts all = shares_by_links(ranks, a, 8, false).weights;
  CHECK(std::count(all.begin(), all.end(), 0) == 0);
  // What has to hold everything has no room for it.
  Counts small = room;
  small.front() = 4200 * 4200 * 8 / 5;
  CHECK(shares_by_links({&platform, memory, small}, a, 8, true).how != slow.how);
}

TEST_CASE("slow links get less, and so does slow memory") {
  Platform platform = with_ports({{1, 1, 1}}, 1'000'000);
  const Counts room = all_of(platform, plenty);
  const Counts one_slow{10'000'000, 10'000'000, 1'000'000};
  const Counts by_memory = shares_by_links({&platform, one_slow, room}, {3000, 2000}, 8, true).weights;
  CHECK(by_memory[0] > by_memory[2]);
  platform.hosts[1].rate = {500'000, 0};
  const Counts memory = all_of(platform, 10'000'000);
  const Counts by_links = shares_by_links({&platform, memory, room}, {3000, 2000}, 8, true).weights;
  CHECK(by_links[0] > by_links[1]);
}

TEST_CASE("nothing tried is faster than what is chosen, on any platform") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const int count = 1 + static_cast<int>(seed % 17);
    const Platform platform = RandomPlatform(seed).make(count);
    std::mt19937_64 random(seed);
    Counts memory = all_of(platform, 1);
    Counts room = all_of(platform, plenty);
    for (auto& rate : memory) rate += static_cast<std::int64_t>(random() % 1'000'000'000);
    if (seed % 3 == 0) room[0] = 1000;
    const TransposeRanks ranks{&platform, memory, room};
    for (const MatrixShape& a :
         {MatrixShape{997, 513}, {0, 7}, {1, 1}, {std::int64_t{1} << 28, std::int64_t{1} << 28}}) {
      const TransposeShares chosen = shares_by_links(ranks, a, 16, true);
      REQUIRE(chosen.weights.size() == memory.size());
      const auto time = [&](const Counts& weights) {
        return transpose_time(ranks, a, 16, proportional_shares(a.rows, weights),
                              proportional_shares(a.columns, weights));
      };
      CHECK(time(chosen.weights) == chosen.predicted);
      CHECK(chosen.predicted <= time(memory));
      CHECK(chosen.predicted <= time(all_of(platform, 1)));
      CHECK(shares_by_links(ranks, a, 16, true).weights == chosen.weights);
    }
  }
}

TEST_CASE("rates of other ranks are errors") {
  const Platform platform = flat_cluster(3);
  const Counts two{1, 1};
  const Counts three{1, 1, 1};
  CHECK_THROWS_AS(shares_by_links({&platform, two, three}, {5, 5}, 8, true), Error);
  CHECK_THROWS_AS(shares_by_links({&platform, three, two}, {5, 5}, 8, true), Error);
}
