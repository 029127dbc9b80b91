#include <algorithm>
#include <numeric>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/collectives/calibrate/shared_links.hpp>

#include "platform/random_platform.hpp"

using namespace tombolo;

namespace {

std::vector<Rank> all_of(const Platform& platform) {
  std::vector<Rank> ranks(static_cast<std::size_t>(platform.ranks()));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

bool has(const std::vector<Rank>& ranks, Rank rank) {
  return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

// Pairs of which the first is in `from` and the second in `to`, one by one.
std::int64_t pairs(const std::vector<Rank>& participants, const std::vector<Rank>& from, const std::vector<Rank>& to) {
  std::int64_t found = 0;
  for (const Rank a : participants) {
    for (const Rank b : participants) found += has(from, a) && has(to, b) ? 1 : 0;
  }
  return found;
}

std::vector<Rank> others(const Platform& platform, const std::vector<Rank>& ranks) {
  std::vector<Rank> found = all_of(platform);
  std::erase_if(found, [&](Rank rank) { return has(ranks, rank); });
  return found;
}

void expect_uplinks(const Platform& platform, const Level& level, const std::vector<Rank>& participants,
                    std::vector<SharedLink>& expected) {
  if (level.kind > Level::Kind::cluster) return;
  const std::int64_t blocks = pairs(participants, level.ranks, others(platform, level.ranks));
  expected.push_back({LinkKind::uplink, level.name, level.uplink.value, blocks});
  for (const Level& child : level.children) expect_uplinks(platform, child, participants, expected);
}

std::vector<SharedLink> expected_links(const Platform& platform, const std::vector<Rank>& participants) {
  std::vector<SharedLink> expected;
  for (const Host& host : platform.hosts) {
    std::vector<Rank> on_host = all_of(platform);
    std::erase_if(on_host,
                  [&](Rank rank) { return platform.processors[static_cast<std::size_t>(rank)].host != host.name; });
    const std::int64_t blocks = pairs(participants, on_host, others(platform, on_host));
    expected.push_back({LinkKind::port, host.name, host.rate.value, blocks});
  }
  expect_uplinks(platform, platform.levels, participants, expected);
  const auto all = clusters(platform.levels);
  for (const Link& link : platform.links) {
    const Level& a = *all[static_cast<std::size_t>(link.a)];
    const Level& b = *all[static_cast<std::size_t>(link.b)];
    const auto hosts = [&](const Level& cluster) {
      return std::count_if(cluster.children.begin(), cluster.children.end(), [&](const Level& host) {
        return std::any_of(host.ranks.begin(), host.ranks.end(), [&](Rank rank) { return has(participants, rank); });
      });
    };
    const BytesPerSecond rate =
        link.total.value > 0 ? link.total.value : std::min(hosts(a), hosts(b)) * link.rate.value;
    expected.push_back({LinkKind::distant, a.name + " - " + b.name, rate, pairs(participants, a.ranks, b.ranks)});
  }
  for (const SharedLine& line : platform.lines) {
    std::int64_t blocks = 0;
    for (const auto& [from, to] : line.pairs) {
      blocks +=
          pairs(participants, all[static_cast<std::size_t>(from)]->ranks, all[static_cast<std::size_t>(to)]->ranks);
    }
    expected.push_back({LinkKind::distant, described(line, all), line.rate.value, blocks});
  }
  std::erase_if(expected, [](const SharedLink& link) { return link.rate == 0 || link.blocks == 0; });
  return expected;
}

}  // namespace

TEST_CASE("what an exchange puts on links is what its pairs put there, one by one") {
  std::mt19937 random(3);
  for (unsigned seed = 0; seed < 80; ++seed) {
    const Platform platform = RandomPlatform(seed).make(1 + static_cast<int>(seed * 7 % 30));
    std::vector<Rank> participants = all_of(platform);
    if (seed % 3 != 0) {
      std::shuffle(participants.begin(), participants.end(), random);
      participants.resize((participants.size() + 1) / 2);
    }
    INFO("seed " << seed);
    CHECK(shared_links(platform, participants) == expected_links(platform, participants));
  }
}

TEST_CASE("uneven exchanges put on links what their pairs do, in the direction that carries more") {
  // c1 (a1 with ranks 0 and 1, a2 with 2), c2 (b1 with 3), c3 (d1 with 4).
  Platform platform = small_platform();
  for (Host& host : platform.hosts) host.rate = {125'000'000, 0};
  const std::vector<std::int64_t> rows = {3, 0, 7, 1, 20};
  const std::vector<std::int64_t> columns = {1, 5, 0, 2, 10};
  const auto crossing = [&](const std::vector<Rank>& inside) {
    std::int64_t out = 0;
    std::int64_t in = 0;
    for (Rank a = 0; a < 5; ++a) {
      for (Rank b = 0; b < 5; ++b) {
        const std::int64_t count = rows[static_cast<std::size_t>(a)] * columns[static_cast<std::size_t>(b)];
        if (has(inside, a) && !has(inside, b)) out += count;
        if (!has(inside, a) && has(inside, b)) in += count;
      }
    }
    return std::max(out, in);
  };
  for (const SharedLink& link : shared_links(platform, all_of(platform), Blocks(rows), Blocks(columns))) {
    if (link.name == "a1") CHECK(link.blocks == crossing({0, 1}));
    if (link.name == "a2") CHECK(link.blocks == crossing({2}));
    if (link.name == "d1") CHECK(link.blocks == crossing({4}));
    if (link.name == "c1 - c3") CHECK(link.blocks == std::max(10 * 10, 20 * 6));
  }
}

TEST_CASE("loads of a platform with uplinks, by hand") {
  // grenoble: c1 (a1 with ranks 0 and 1, a2 with 2), c2 (b1 with 3); c3 (d1 with 4), whose uplink is known.
  Platform platform = small_platform();
  for (Host& host : platform.hosts) host.rate = {125'000'000, 0};
  platform.levels.children.front().uplink = {50'000'000, 0};
  const std::vector<SharedLink> links = shared_links(platform, all_of(platform));
  const std::vector<SharedLink> expected = {
      {LinkKind::port, "a1", 125'000'000, 6},         {LinkKind::port, "a2", 125'000'000, 4},
      {LinkKind::port, "b1", 125'000'000, 4},         {LinkKind::port, "d1", 125'000'000, 4},
      {LinkKind::uplink, "grenoble", 50'000'000, 4},  {LinkKind::uplink, "c3", 100'000'000, 4},
      {LinkKind::distant, "c1 - c2", 125'000'000, 3}, {LinkKind::distant, "c1 - c3", 90'000'000, 3}};
  CHECK(links == expected);
  // 1000 B blocks: 6000 B at 125 MB/s, 4000 B at 50 MB/s, 3000 B at 90 MB/s.
  CHECK(loads(links, 1000) == LinkLoads{48'000'000, 80'000'000, 33'333'334});
  CHECK(loads(links, 0) == LinkLoads{0, 0, 0});
  CHECK(loads(shared_links(platform, std::vector<Rank>{0, 1}), 1000) == LinkLoads{0, 0, 0});
  CHECK(loads(shared_links(platform, std::vector<Rank>{0, 2, 3}), 1000)[1] == 0);  // nothing leaves grenoble
  CHECK(name(links.back().kind) == "distant");
}
