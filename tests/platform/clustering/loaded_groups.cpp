#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/platform/clustering/loaded_groups.hpp>
#include <tombolo/platform/measuring/rounds.hpp>

#include "support/sanitized.hpp"

using namespace tombolo;

namespace {

using Random = std::mt19937_64;
using Groups = std::vector<std::vector<int>>;

constexpr double bound = 0.2;
constexpr double unlimited = 1e18;

// Hosts behind switches, each with an uplink of its own that all pairs across share.
struct Cluster {
  std::vector<int> hosts;       // their numbers, in a random order
  std::vector<int> of;          // the switch of each
  std::vector<double> rate;     // of each host's port, B/s
  std::vector<double> uplinks;  // of each switch, B/s
};

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

// `share`: what is left of a host's rate when all that pairs across want goes through the uplinks.
Cluster make_cluster(Random& random, int switches, int hosts_each, double share, double unequal = 0) {
  Cluster cluster;
  for (int host = 0; host < switches * hosts_each; ++host) {
    cluster.hosts.push_back(3 * host + 1);  // numbers are those of a platform, of which this is a part
    cluster.of.push_back(host % switches);
    cluster.rate.push_back(125e6 * uniform(random, 1 - unequal, 1));
  }
  std::shuffle(cluster.hosts.begin(), cluster.hosts.end(), random);
  const double across = hosts_each * static_cast<double>(hosts_each * (switches - 1)) / (hosts_each * switches - 1);
  cluster.uplinks.assign(static_cast<std::size_t>(switches), share > 0 ? 125e6 * across * share : unlimited);
  return cluster;
}

Groups switches_of(const Cluster& cluster) {
  std::map<int, std::vector<int>> members;
  for (std::size_t i = 0; i < cluster.hosts.size(); ++i) members[cluster.of[i]].push_back(cluster.hosts[i]);
  Groups groups;
  for (auto& [number, hosts] : members) {
    std::sort(hosts.begin(), hosts.end());
    groups.push_back(hosts);
  }
  std::sort(groups.begin(), groups.end());
  return groups;
}

// What pairs get while all exchange, in some rounds of a tournament of all hosts.
std::vector<LoadedPair> load(const Cluster& cluster, Random& random, double noise, std::size_t most_rounds = 64) {
  const std::size_t n = cluster.hosts.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<std::vector<int>> opponents;
  for (std::size_t i = 0; i < n; ++i) opponents.push_back(tournament(static_cast<int>(i), static_cast<int>(n)));

  std::vector<LoadedPair> pairs;
  for (std::size_t round = 0; round < std::min(opponents.front().size(), most_rounds); ++round) {
    std::vector<std::pair<std::size_t, std::size_t>> met;
    std::vector<double> crossing(cluster.uplinks.size());
    for (std::size_t i = 0; i < n; ++i) {
      const int opponent = opponents[i][round];
      if (opponent < static_cast<int>(i)) continue;
      const auto [a, b] = std::pair(order[i], order[static_cast<std::size_t>(opponent)]);
      met.emplace_back(a, b);
      if (cluster.of[a] == cluster.of[b]) continue;
      ++crossing[static_cast<std::size_t>(cluster.of[a])];
      ++crossing[static_cast<std::size_t>(cluster.of[b])];
    }
    for (const auto& [a, b] : met) {
      double rate = std::min(cluster.rate[a], cluster.rate[b]);
      for (const std::size_t end : {a, b}) {
        const auto behind = static_cast<std::size_t>(cluster.of[end]);
        if (cluster.of[a] != cluster.of[b]) rate = std::min(rate, cluster.uplinks[behind] / crossing[behind]);
      }
      rate *= std::max(0.1, std::normal_distribution<double>(1, noise)(random));
      pairs.push_back({.a = cluster.hosts[a], .b = cluster.hosts[b], .rate = std::llround(rate)});
    }
  }
  std::shuffle(pairs.begin(), pairs.end(), random);
  return pairs;
}

// In how many of a hundred cases the groups found are the switches; fewer are tried.
int found_in_100(const std::function<Cluster(Random&)>& make, double noise, std::size_t most_rounds = 64) {
  const unsigned trials = test::sanitized() ? 10 : 40;
  int found = 0;
  for (unsigned seed = 0; seed < trials; ++seed) {
    Random random(seed);
    const Cluster cluster = make(random);
    const Groups groups = split_by_load(cluster.hosts, load(cluster, random, noise, most_rounds), bound);
    Groups expected = switches_of(cluster);
    if (cluster.uplinks.front() >= unlimited) {
      expected = {cluster.hosts};
      std::sort(expected.front().begin(), expected.front().end());
    }
    if (groups == expected) ++found;
  }
  return found * 100 / static_cast<int>(trials);
}

}  // namespace

TEST_CASE("switches behind links that are full are found") {
  for (const double noise : {0.0, 0.05, 0.1}) {
    for (const auto& [switches, each] : {std::pair(2, 8), {3, 6}, {5, 20}, {4, 10}, {2, 30}}) {
      INFO(switches << " switches of " << each << ", noise " << noise);
      const auto make = [s = switches, e = each](Random& random) { return make_cluster(random, s, e, 0.6); };
      CHECK(found_in_100(make, noise) >= 97);
    }
  }
}

TEST_CASE("switches are found among hosts of unequal speeds, too") {
  for (const double unequal : {0.2, 0.5}) {
    INFO("down to " << 1 - unequal);
    const auto make = [unequal](Random& random) { return make_cluster(random, 4, 12, 0.4, unequal); };
    CHECK(found_in_100(make, 0.05) >= 95);
  }
}

TEST_CASE("racks of hosts with other cards are found") {
  const auto make = [](Random& random) {
    Cluster cluster = make_cluster(random, 2, 6, 0.4);
    for (std::size_t i = 0; i < cluster.rate.size(); ++i) cluster.rate[i] *= cluster.of[i] == 0 ? 10 : 1;
    return cluster;
  };
  CHECK(found_in_100(make, 0) >= 97);
  CHECK(found_in_100(make, 0.05) >= 95);
}

TEST_CASE("where nothing is shared there is one group, however unequal and noisy the hosts") {
  for (const double noise : {0.0, 0.05, 0.1}) {
    for (const double unequal : {0.0, 0.5}) {
      for (const int hosts : {2, 3, 8, 16, 40}) {
        INFO(hosts << " hosts, noise " << noise << ", unequal by " << unequal);
        const auto make = [=](Random& random) { return make_cluster(random, 1, hosts, 0, unequal); };
        CHECK(found_in_100(make, noise) >= 97);
      }
    }
  }
}

TEST_CASE("hosts that share a machine's cores make noise in which no group is seen") {
  for (const double noise : {0.2, 0.4, 0.8}) {
    for (const int hosts : {5, 11, 16, 22}) {
      INFO(hosts << " hosts, noise " << noise);
      const auto make = [=](Random& random) { return make_cluster(random, 1, hosts, 0); };
      CHECK(found_in_100(make, noise) >= 90);
    }
  }
}

TEST_CASE("not all pairs need have met") {
  const auto make = [](Random& random) { return make_cluster(random, 5, 12, 0.5); };
  CHECK(found_in_100(make, 0.05, 30) >= 95);
  CHECK(found_in_100([](Random& random) { return make_cluster(random, 1, 60, 0); }, 0.05, 12) >= 97);
}

TEST_CASE("whatever the pairs, hosts are partitioned") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Random random(seed);
    std::vector<int> hosts(1 + random() % 20);
    std::iota(hosts.begin(), hosts.end(), static_cast<int>(random() % 5));
    std::shuffle(hosts.begin(), hosts.end(), random);
    std::vector<LoadedPair> pairs;
    for (std::size_t p = random() % 60; p > 0; --p) {
      // Some are of hosts of another cluster.
      const int a = static_cast<int>(random() % 26);
      const int b = static_cast<int>(random() % 26);
      if (a != b) pairs.push_back({a, b, static_cast<BytesPerSecond>(1 + random() % 1000)});
    }
    const Groups groups = split_by_load(hosts, pairs, bound);
    std::vector<int> all;
    for (const std::vector<int>& group : groups) {
      CHECK_FALSE(group.empty());
      CHECK(std::is_sorted(group.begin(), group.end()));
      all.insert(all.end(), group.begin(), group.end());
    }
    CHECK(std::is_sorted(groups.begin(), groups.end()));
    std::sort(all.begin(), all.end());
    std::sort(hosts.begin(), hosts.end());
    CHECK(all == hosts);
  }
}

TEST_CASE("hosts without pairs are one group") {
  CHECK(split_by_load({4}, {}, bound) == Groups{{4}});
  CHECK(split_by_load({5, 4, 9}, {}, bound) == Groups{{4, 5, 9}});
  CHECK(split_by_load({5, 4}, {{1, 2, 100}}, bound) == Groups{{4, 5}});
}
