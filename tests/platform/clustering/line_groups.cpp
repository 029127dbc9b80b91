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
  std::vector<SharedLine> lines;
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
    for (const SharedLine& line : sites.lines) {
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
