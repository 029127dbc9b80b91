#include <algorithm>
#include <random>
#include <set>

#include <catch2/catch.hpp>

#include <tombolo/platform/clustering/link_rounds.hpp>

using namespace tombolo;

namespace {

using Random = std::mt19937_64;

int below(Random& random, int limit) {
  return static_cast<int>(random() % static_cast<unsigned>(limit));
}

// Groups of groups, to any depth; every cluster has some hosts, numbered as a walk meets them.
HostGroup random_group(Random& random, int depth, int& next) {
  HostGroup group;
  if (depth == 0 || below(random, 4) == 0) {
    for (int h = below(random, 3); h >= 0; --h) group.hosts.push_back(next++);
    return group;
  }
  for (int c = 2 + below(random, 4); c > 0; --c) {
    group.groups.push_back(random_group(random, depth - 1, next));
    const std::vector<int>& inner = group.groups.back().hosts;
    group.hosts.insert(group.hosts.end(), inner.begin(), inner.end());
  }
  return group;
}

// The clusters below every group, by number, groups and clusters alike.
std::vector<std::set<int>> clusters_below(const HostGroup& group, int& next) {
  if (group.groups.empty()) return {{next++}};
  std::vector<std::set<int>> found(1);
  for (const HostGroup& child : group.groups) {
    const auto inner = clusters_below(child, next);
    found.front().insert(inner.front().begin(), inner.front().end());
    found.insert(found.end(), inner.begin(), inner.end());
  }
  return found;
}

}  // namespace

TEST_CASE("one cluster has no links, and two have one") {
  CHECK(link_rounds({.name = "", .hosts = {0, 1}, .groups = {}}).empty());
  const HostGroup one{.name = "", .hosts = {0}, .groups = {}};
  const HostGroup other{.name = "", .hosts = {1}, .groups = {}};
  const auto rounds = link_rounds({.name = "", .hosts = {0, 1}, .groups = {one, other}});
  CHECK(rounds == std::vector<std::vector<std::pair<int, int>>>{{{0, 1}}});
}

TEST_CASE("every pair of clusters is in one round, and in a round nothing leaves a group twice") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    int hosts = 0;
    const HostGroup groups = random_group(random, 1 + below(random, 3), hosts);
    int clusters = 0;
    const auto below_groups = clusters_below(groups, clusters);

    std::set<std::pair<int, int>> seen;
    bool sound = true;
    for (const auto& round : link_rounds(groups)) {
      CHECK_FALSE(round.empty());
      for (const auto& [a, b] : round) {
        sound = sound && 0 <= a && a < b && b < clusters && seen.emplace(a, b).second;
      }
      // Clusters are groups too, so pairs are disjoint. A group from which a pair leaves has nothing else under way.
      for (const std::set<int>& group : below_groups) {
        const auto leaving = std::count_if(round.begin(), round.end(), [&](const auto& pair) {
          return group.contains(pair.first) != group.contains(pair.second);
        });
        const auto touching = std::count_if(round.begin(), round.end(), [&](const auto& pair) {
          return group.contains(pair.first) || group.contains(pair.second);
        });
        sound = sound && (leaving == 0 || touching == 1);
      }
    }
    CHECK(sound);
    CHECK(seen.size() == static_cast<std::size_t>(clusters) * static_cast<std::size_t>(clusters - 1) / 2);
  }
}

TEST_CASE("clusters of different groups are measured at the same time") {
  // Four sites of two clusters: one round inside, and three tournament rounds of four pairs of clusters each.
  HostGroup sites;
  for (int site = 0; site < 4; ++site) {
    HostGroup group;
    for (int c = 0; c < 2; ++c) group.groups.push_back({.name = "", .hosts = {2 * site + c}, .groups = {}});
    sites.groups.push_back(group);
  }
  const auto rounds = link_rounds(sites);
  CHECK(rounds.size() == 1 + 3 * 4);
  CHECK(rounds.front().size() == 4);
  CHECK(std::all_of(rounds.begin() + 1, rounds.end(), [](const auto& round) { return round.size() == 2; }));
}

TEST_CASE("the hosts of clusters, as a walk meets them") {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Random random(seed);
    int hosts = 0;
    const HostGroup groups = random_group(random, 3, hosts);
    int next = 0;
    for (const std::vector<int>& cluster : cluster_hosts(groups)) {
      CHECK_FALSE(cluster.empty());
      for (const int host : cluster) CHECK(host == next++);
    }
    CHECK(next == hosts);
  }
}
