#include <algorithm>
#include <iterator>
#include <random>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/platform.hpp>
#include <tombolo/platform/clustering/line_groups.hpp>

#include "platform/host_groups.hpp"

using namespace tombolo;
using test::cluster;
using test::group;

namespace {

// Clusters in a tree of lines.
struct Sites {
  HostGroup all;
  std::vector<DividingLine> lines;
};

// Each of these clusters has a line to one before it; the lines' rates are all different.
Sites random_sites(std::mt19937_64& random, int clusters) {
  Sites sites;
  std::vector<HostGroup> children;
  std::vector<std::size_t> towards(static_cast<std::size_t>(clusters));
  int host = 0;
  for (std::size_t c = 0; c < towards.size(); ++c) {
    towards[c] = c == 0 ? 0 : random() % c;
    std::vector<int> hosts;
    for (std::uint64_t h = 0; h <= random() % 3; ++h) hosts.push_back(host++);
    children.push_back(cluster(std::move(hosts)));
  }
  for (std::size_t c = 1; c < towards.size(); ++c) {
    std::vector<int> behind;
    for (std::size_t other = c; other < towards.size(); ++other) {
      std::size_t on_way = other;
      while (on_way > c) on_way = towards[on_way];
      if (on_way == c) behind.insert(behind.end(), children[other].hosts.begin(), children[other].hosts.end());
    }
    sites.lines.push_back({.side = std::move(behind), .rate = static_cast<BytesPerSecond>(random())});
  }
  sites.all = group(std::move(children));
  return sites;
}

bool has(const HostGroup& group, const std::vector<int>& hosts) {
  return group.hosts == hosts ||
         std::ranges::any_of(group.groups, [&](const auto& inner) { return has(inner, hosts); });
}

void check_whole(const HostGroup& group) {
  std::vector<int> hosts;
  for (const HostGroup& inner : group.groups) {
    check_whole(inner);
    hosts.insert(hosts.end(), inner.hosts.begin(), inner.hosts.end());
  }
  if (group.groups.empty()) return;
  CHECK(group.groups.size() > 1);
  std::ranges::sort(hosts);
  CHECK(hosts == group.hosts);
  CHECK(std::ranges::is_sorted(group.groups, {}, [](const HostGroup& inner) { return inner.hosts.front(); }));
}

}  // namespace

TEST_CASE("four sites in a row are two groups, wherever the line between these is stated from") {
  const HostGroup row = group({cluster({0, 1}), cluster({2, 6}), cluster({3, 4}), cluster({5})});
  const HostGroup two = group({group({cluster({0, 1}), cluster({2, 6})}), group({cluster({3, 4}), cluster({5})})});
  for (const std::vector<int>& side : {std::vector<int>{0, 1, 2, 6}, {3, 4, 5}}) {
    HostGroup found = row;
    group_at_lines(found, {{.side = side, .rate = 8}, {.side = {0, 1}, .rate = 50}, {.side = {5}, .rate = 1}});
    CHECK(found == two);
  }
}

TEST_CASE("every line of a tree of clusters is what leads out of a group or a cluster") {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Sites sites = random_sites(random, 2 + trial % 11);
    HostGroup found = sites.all;
    group_at_lines(found, sites.lines);
    check_whole(found);
    CHECK(found.hosts == sites.all.hosts);
    for (const HostGroup& child : sites.all.groups) CHECK(has(found, child.hosts));
    for (const DividingLine& line : sites.lines) {
      std::vector<int> beyond;
      std::ranges::set_difference(sites.all.hosts, line.side, std::back_inserter(beyond));
      INFO("trial " << trial);
      CHECK((has(found, line.side) || has(found, beyond)));
    }
  }
}

TEST_CASE("a thin line is guessed from rates, wherever its clusters stand and whatever the rates of one are off by") {
  // p - q and r - s are fat; between them the measured rates differ, as they were in each other's way.
  const std::vector<std::vector<int>> clusters = {{0, 5}, {1}, {2, 6, 7}, {3, 4}};  // p, r, q, s
  const auto rates = [&](BytesPerSecond pq, BytesPerSecond rs, BytesPerSecond most_across) {
    std::vector<BytesPerSecond> all(6, most_across / 2);
    all[link_index(0, 2, 4)] = pq;
    all[link_index(1, 3, 4)] = rs;
    all[link_index(0, 3, 4)] = most_across;
    return all;
  };
  const auto line = likely_line(clusters, rates(48, 87, 12));
  REQUIRE(line);
  CHECK(line->side == std::vector<int>{0, 2, 5, 6, 7});
  CHECK(line->rate == 12);
  CHECK_FALSE(likely_line(clusters, rates(16, 87, 12)));                     // hardly thinner
  CHECK_FALSE(likely_line(clusters, rates(48, 0, 12)));                      // not all are known
  CHECK_FALSE(likely_line({{0}, {1}, {2}}, {90, 10, 10}));                   // the uplink of one cluster
  CHECK_FALSE(likely_line({{0}, {1}, {2}, {3}}, {90, 90, 10, 90, 10, 10}));  // the same
  CHECK_FALSE(likely_line({{0}, {1}, {2}, {3}}, std::vector<BytesPerSecond>(6, 10)));
}

TEST_CASE("links that are slower than the way over a third cluster are found, the slowest part first") {
  // 0 - 1 - 2 - 3 in a row, with 0 - 2 and 1 - 3 slowed by each other and 0 - 3 by both.
  std::vector<BytesPerSecond> rates(6);
  const auto set = [&](int a, int b, BytesPerSecond rate) { rates[link_index(a, b, 4)] = rate; };
  set(0, 1, 60);
  set(1, 2, 20);
  set(2, 3, 90);
  set(0, 2, 10);
  set(1, 3, 12);
  set(0, 3, 4);
  CHECK(outrun_pairs(rates, 4, 0.2) == std::vector<std::pair<int, int>>{{0, 3}, {0, 2}, {1, 3}});
  CHECK(outrun_pairs(rates, 4, 0.8) == std::vector<std::pair<int, int>>{{0, 3}, {0, 2}});
  set(0, 3, 0);  // not known
  CHECK(outrun_pairs(rates, 4, 0.8) == std::vector<std::pair<int, int>>{{0, 2}});
  CHECK(outrun_pairs(std::vector<BytesPerSecond>(6, 10), 4, 0.2).empty());
  // Behind uplinks the direct way is the best.
  const std::vector<BytesPerSecond> uplinks = {40, 10, 70, 25};
  for (int a = 0; a < 4; ++a) {
    for (int b = a + 1; b < 4; ++b)
      set(a, b, std::min(uplinks[static_cast<std::size_t>(a)], uplinks[static_cast<std::size_t>(b)]));
  }
  CHECK(outrun_pairs(rates, 4, 0.2).empty());
}

TEST_CASE("links of one rate between two sets of clusters may be one line, others not") {
  // Six sites on a ring of lines of 40, 25, 60, 15, 50 and 30, the shorter way round.
  const std::vector<BytesPerSecond> ring = {40, 25, 60, 15, 50, 30};
  std::vector<BytesPerSecond> rates(15);
  for (int a = 0; a < 6; ++a) {
    for (int b = a + 1; b < 6; ++b) {
      const bool forward = b - a <= 3;
      BytesPerSecond rate = 100;
      for (int c = forward ? a : b; c % 6 != (forward ? b : a); ++c)
        rate = std::min(rate, ring[static_cast<std::size_t>(c % 6)]);
      rates[link_index(a, b, 6)] = rate + (a == 0 ? 0 : rate / 25);  // as noise has it
    }
  }
  const std::vector<SharedLine> lines = likely_lines(rates, 6, 0.1);
  using Pairs = std::vector<std::pair<int, int>>;
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].pairs == Pairs{{1, 4}, {2, 4}, {2, 5}, {3, 4}, {3, 5}});
  CHECK(lines[1].pairs == Pairs{{0, 2}, {0, 3}, {1, 2}, {1, 3}});
  CHECK(lines[1].rate.value == 26);
  CHECK(lines[2].pairs == Pairs{{0, 4}, {0, 5}, {1, 5}});
  rates[link_index(1, 2, 6)] = 0;  // not known, as hosts are the limit
  CHECK(likely_lines(rates, 6, 0.1)[1].pairs == Pairs{{0, 2}, {0, 3}, {1, 2}, {1, 3}});
  CHECK(likely_lines(std::vector<BytesPerSecond>(15, 50), 6, 0.1).empty());  // a full mesh of equal links
  CHECK(likely_lines({10, 10, 10, 90, 90, 90}, 4, 0.1).empty());             // one cluster's uplink
  CHECK(likely_lines({0, 10, 0, 0, 10, 0}, 4, 0.1).empty());                 // two pairs that nothing joins
}

TEST_CASE("groups that there are stay, and a line that crosses one or parts a cluster makes none") {
  const HostGroup near = group({group({cluster({0}), cluster({1}), cluster({2})}), cluster({3}), cluster({4, 5})});
  HostGroup found = near;
  group_at_lines(found, {{.side = {2, 3}, .rate = 1}, {.side = {3, 4}, .rate = 1}, {.side = {3, 4, 5}, .rate = 1}});
  CHECK(found == near);  // the last side is all that is outside the group, whose uplink the line is
  // Inside a group, a side may be all but one: what leads out of the group is another line.
  found = near;
  group_at_lines(found, {{.side = {0, 1}, .rate = 1}});
  CHECK(found.groups[0] == group({group({cluster({0}), cluster({1})}), cluster({2})}));
  HostGroup alone = cluster({0, 1, 2, 3});
  group_at_lines(alone, {{.side = {0, 1}, .rate = 1}});
  CHECK(alone == cluster({0, 1, 2, 3}));
}
