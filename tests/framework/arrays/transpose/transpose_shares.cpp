#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/transpose/transpose_shares.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

#include "framework/arrays/transpose/platforms_with_ports.hpp"
#include "platform/random_platform.hpp"

using namespace tombolo;
using Counts = std::vector<std::int64_t>;

TEST_CASE("the time is that of its closed form") {
  Platform platform = with_ports({{1, 1}}, 100);
  const Counts memory{1000, 500};
  const Counts room = all_of(platform, plenty);
  const TransposeRanks ranks{&platform, memory, room};
  // 60 x 40 of 1 byte: rank 0 packs 45 x 40 B in 1.8 s, rank 1 15 x 40 in 1.2 s; 45 x 10 B cross in 4.5 s and 15 x 30
  // B the other way; rank 0 unpacks 30 x 60 B in 1.8 s, rank 1 10 x 60 in 1.2 s.
  CHECK(transpose_time(ranks, {60, 40}, 1, Counts{45, 15}, Counts{30, 10}) == 8'100'000'000'000);
  CHECK(transpose_time(ranks, {60, 40}, 2, Counts{45, 15}, Counts{30, 10}) == 16'200'000'000'000);
  // All on one rank: nothing crosses.
  CHECK(transpose_time(ranks, {60, 40}, 1, Counts{60, 0}, Counts{40, 0}) == 4'800'000'000'000);
  const Counts little{3599, plenty};
  CHECK(transpose_time({&platform, memory, little}, {60, 40}, 1, Counts{45, 15}, Counts{30, 10}) == never);
}

TEST_CASE("uplinks, links between clusters and messages within a host count") {
  Platform platform = clusters_of_hosts({{1, 1}, {2}});  // ranks 0 and 1 on hosts of c0, 2 and 3 on the host of c1
  const Counts memory = all_of(platform, 1'000'000'000'000'000);
  const Counts room = all_of(platform, plenty);
  const TransposeRanks ranks{&platform, memory, room};
  const auto exchange = [&] {
    return transpose_time(ranks, {8, 8}, 1, Counts{2, 2, 2, 2}, Counts{2, 2, 2, 2}) / picoseconds_per_second;
  };
  CHECK(exchange() == 0);
  const auto of_c1 = std::find_if(platform.levels.children.begin(), platform.levels.children.end(),
                                  [](const Level& level) { return level.name == "c1"; });
  of_c1->uplink = {1, 0};
  CHECK(exchange() == 16);  // 4 x 4
  of_c1->uplink = {};
  platform.links.front().rate = {1, 0};
  CHECK(exchange() == 16);  // one host with a message at a time
  platform.links.front().total = {4, 0};
  CHECK(exchange() == 4);
  // A total of one message, between clusters of several hosts, bounds nothing but that message.
  Platform wide = clusters_of_hosts({{1, 1}, {1, 1}});
  wide.links.front().rate = {1, 0};
  wide.links.front().total = {1, 0};
  wide.links.front().flows = 1;
  const TransposeRanks of_wide{&wide, memory, room};
  const Counts twos{2, 2, 2, 2};
  CHECK(transpose_time(of_wide, {8, 8}, 1, twos, twos) / picoseconds_per_second == 8);
  wide.links.front().flows = 2;
  CHECK(transpose_time(of_wide, {8, 8}, 1, twos, twos) / picoseconds_per_second == 16);
  platform.links.front() = {0, 1};
  of_c1->children.front().rate = {1, 0};
  CHECK(exchange() == 4);  // 2 x 2
}

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
