#include <algorithm>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/transpose_time.hpp>

#include "framework/platforms_with_ports.hpp"

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
