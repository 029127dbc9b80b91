// What messages of a platform share: by hand, and on platforms of every shape.

#include <algorithm>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/models/network/platform_network.hpp>

#include "models/figured_platform.hpp"
#include "platform/random_platform.hpp"

using namespace tombolo;

namespace {

// Rates of the links on a route, with the part of its own rate that a flow takes of each.
std::vector<std::pair<BytesPerSecond, int>> taken(const PlatformNetwork& network, Rank from, Rank to) {
  std::vector<std::pair<BytesPerSecond, int>> found;
  for (const Network::Use& use : network.route(from, to).uses) {
    found.emplace_back(network.rates()[static_cast<std::size_t>(use.link)], use.part);
  }
  return found;
}

PlatformNetwork::Ports ports_of(const Platform& platform, int together, int back) {
  const std::size_t count = clusters(platform.levels).size();
  return {.together = std::vector<int>(count, together), .back = std::vector<int>(count, back)};
}

// Site (c0, c1) with an uplink, c2 alone with one; a rank on each of two hosts of each cluster: c0 has 0 and 3.
Platform two_sites() {
  Platform platform = with_figures(clusters_of_hosts({{1, 1}, {1, 1}, {1, 1}}), 1);
  for (Host& host : platform.hosts) host.rate = {1'000, 0};
  std::vector<Level>& all = platform.levels.children;
  Level site{Level::Kind::group, "site", {0, 1, 2, 3}, {all[0], all[1]}, {}, {}, {500, 0}};
  for (std::size_t c = 0; c < 2; ++c) all[c].uplink = {};
  all[2].uplink = {400, 0};
  platform.levels.children = {site, all[2]};
  platform.links[1].total = {300, 0};  // c0 - c2
  return platform;
}

}  // namespace

TEST_CASE("a backbone is one link both ways, inside its cluster and on the way out and in") {
  Platform platform = two_sites();
  platform.levels.children[0].children[0].backbone = {700, 0};
  const PlatformNetwork plain(platform, {});
  using Taken = std::vector<std::pair<BytesPerSecond, int>>;
  CHECK(taken(plain, 0, 3) == Taken{{700, 1000}});
  CHECK(taken(plain, 0, 4) == Taken{{700, 1000}, {500, 1000}, {300, 1000}, {400, 1000}});
  CHECK(taken(plain, 4, 0) == Taken{{400, 1000}, {300, 1000}, {500, 1000}, {700, 1000}});
  CHECK(plain.shares(0, 3));
  const PlatformNetwork full(platform, ports_of(platform, 1500, 50));
  CHECK(taken(full, 0, 3) == Taken{{1500, 1000}, {700, 1050}, {1500, 1000}, {1500, 50}, {1500, 50}});
}

TEST_CASE("a line is shared by the messages of its pairs, those one way and those back apart") {
  Platform platform = two_sites();
  platform.links[1].total = {};
  platform.levels.children[0].uplink = platform.levels.children[1].uplink = {};
  const PlatformNetwork without(platform, {});
  platform.lines = {{.pairs = {{0, 2}, {1, 2}}, .rate = {250, 0}}};
  const PlatformNetwork network(platform, {});
  const auto line_of = [&](Rank from, Rank to) {
    std::vector<int> found;
    for (const Network::Use& use : network.route(from, to).uses) {
      if (network.rates()[static_cast<std::size_t>(use.link)] == 250) found.push_back(use.link);
    }
    return found;
  };
  REQUIRE(line_of(0, 4).size() == 1);
  CHECK(line_of(0, 4) == line_of(1, 5));
  CHECK(line_of(4, 0) == line_of(5, 1));
  CHECK(line_of(0, 4) != line_of(4, 0));
  CHECK(line_of(0, 1).empty());  // between two clusters of the site
  CHECK(without.route(0, 4).uses.size() + 1 == network.route(0, 4).uses.size());
}

TEST_CASE("a backbone of a group carries what leaves or enters one of its children, once") {
  Platform platform = two_sites();
  platform.levels.children[0].backbone = {700, 0};  // of the site
  platform.levels.backbone = {900, 0};
  const PlatformNetwork network(platform, {});
  using Taken = std::vector<std::pair<BytesPerSecond, int>>;
  CHECK(taken(network, 0, 1).empty());  // inside c0
  CHECK(taken(network, 0, 2) == Taken{{700, 1000}});
  CHECK(taken(network, 0, 4) == Taken{{500, 1000}, {300, 1000}, {400, 1000}, {700, 1000}, {900, 1000}});
  CHECK(taken(network, 4, 2) == Taken{{400, 1000}, {500, 1000}, {700, 1000}, {900, 1000}});
}

TEST_CASE("a link that is one for both directions carries what goes the other way") {
  const Platform platform = two_sites();
  PlatformNetwork::Ports ports = ports_of(platform, 1000, 50);
  ports.link_back = {0, 1000, 0};  // c0 - c2
  const PlatformNetwork network(platform, ports);
  using Taken = std::vector<std::pair<BytesPerSecond, int>>;
  CHECK(taken(network, 0, 4) == Taken{{1000, 1000},
                                      {500, 1000},
                                      {300, 1000},
                                      {400, 1000},
                                      {1000, 1000},
                                      {1000, 50},
                                      {400, 1000},
                                      {300, 1000},
                                      {500, 1000},
                                      {1000, 50}});
  CHECK(taken(network, 2, 4)[6] == std::pair<BytesPerSecond, int>{500, 50});  // c1 - c2

  Platform backed = platform;
  backed.levels.backbone = {900, 0};  // already one for both directions
  CHECK(taken(PlatformNetwork(backed, ports), 0, 4)[4] == std::pair<BytesPerSecond, int>{900, 1050});
}

TEST_CASE("a message takes the port out, uplinks, the link, uplinks and the port in, and a part of the way back") {
  const Platform platform = two_sites();
  const PlatformNetwork plain(platform, {});
  using Taken = std::vector<std::pair<BytesPerSecond, int>>;
  CHECK(taken(plain, 0, 1).empty());  // inside c0
  CHECK(taken(plain, 0, 2).empty());  // inside the site: nothing is known of c0 - c1
  CHECK(taken(plain, 0, 4) == Taken{{500, 1000}, {300, 1000}, {400, 1000}});
  CHECK(taken(plain, 4, 0) == Taken{{400, 1000}, {300, 1000}, {500, 1000}});
  CHECK(taken(plain, 2, 4) == Taken{{500, 1000}, {400, 1000}});
  CHECK_FALSE(plain.shares(0, 1));
  CHECK(plain.shares(0, 4));

  const PlatformNetwork full(platform, ports_of(platform, 1500, 50));
  CHECK(taken(full, 0, 1) == Taken{{1500, 1000}, {1500, 1000}, {1500, 50}, {1500, 50}});
  CHECK(taken(full, 2, 4) ==
        Taken{{1500, 1000}, {500, 1000}, {400, 1000}, {1500, 1000}, {1500, 50}, {400, 50}, {500, 50}, {1500, 50}});
  CHECK(full.shares(0, 1));
}

TEST_CASE("messages meet where they should: at their host, at the uplink, never against each other's direction") {
  const Platform platform = two_sites();
  const PlatformNetwork network(platform, ports_of(platform, 1000, 0));
  const auto meet = [&](Rank a, Rank b, Rank c, Rank d) {
    const std::vector<Network::Use> one = network.route(a, b).uses;
    const std::vector<Network::Use> other = network.route(c, d).uses;
    return std::any_of(one.begin(), one.end(), [&](const Network::Use& use) {
      return std::find(other.begin(), other.end(), use) != other.end();
    });
  };
  CHECK(meet(0, 1, 0, 2));        // out of host 0
  CHECK(meet(0, 2, 1, 2));        // into host 2
  CHECK(meet(0, 4, 2, 5));        // the site's uplink
  CHECK_FALSE(meet(0, 1, 2, 3));  // other hosts
  CHECK_FALSE(meet(0, 4, 4, 0));
  CHECK_FALSE(meet(0, 1, 1, 0));
}

TEST_CASE("on any platform routes are over known links, each once in each direction, and weights are within bounds") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Platform platform = RandomPlatform(seed).make(1 + static_cast<int>(seed * 5 % 23));
    const PlatformNetwork plain(platform, {});
    const PlatformNetwork full(platform, ports_of(platform, 1300, 0));
    const Routes routes(platform);
    INFO("seed " << seed);
    for (Rank a = 0; a < platform.ranks(); ++a) {
      for (Rank b = 0; b < platform.ranks(); ++b) {
        bool sound = true;
        for (const PlatformNetwork* network : {&plain, &full}) {
          const Network::Route there = network->route(a, b);
          const Network::Route back = network->route(b, a);
          sound = sound && there.weight == back.weight && there.weight >= 1 && there.weight <= 1 << 20;
          sound = sound && network->shares(a, b) == !there.uses.empty() && there.uses.size() == back.uses.size();
          for (const Network::Use& use : there.uses) {
            sound = sound && network->rates()[static_cast<std::size_t>(use.link)] > 0;
            sound = sound && std::count(there.uses.begin(), there.uses.end(), use) == 1;
            sound = sound && std::count(back.uses.begin(), back.uses.end(), use) == 0;
          }
        }
        if (routes.host_of(a) == routes.host_of(b)) sound = sound && full.route(a, b).uses.empty();
        if (routes.cluster_of(a) == routes.cluster_of(b)) sound = sound && plain.route(a, b).uses.empty();
        if (!sound) FAIL_CHECK("from " << a << " to " << b);
      }
    }
  }
}

TEST_CASE("the nearer pair weighs more, one over latency and the time of a window on both ports") {
  Platform platform = with_figures(flat_cluster(3), 2);
  platform.levels.latency = {};
  for (Host& host : platform.hosts) host = {.name = host.name, .latency = {5'000'000, 0}, .rate = {87'750'000, 0}};
  platform.hosts[2].latency = {195'000'000, 0};
  const PlatformNetwork network(platform, {});
  // A window takes 100 us on each of two ports.
  CHECK(network.route(0, 1).weight == 100'000'000'000 / (10'000'000 + 200'000'000));
  CHECK(network.route(0, 2).weight == 100'000'000'000 / (200'000'000 + 200'000'000));
}

TEST_CASE("a host alone in its cluster, whose port nobody has measured, gets as much as its fastest link") {
  Platform platform = with_figures(clusters_of_hosts({{1}, {1, 1}, {1}}), 1);
  for (Host& host : platform.hosts) host.rate = {};
  platform.hosts[3].rate = {70'000, 0};  // c2 has been measured
  for (Level& cluster : platform.levels.children) cluster.uplink = {};
  platform.links[0].rate = {500'000, 0};  // c0 - c1
  platform.links[0].total = {};
  platform.links[1].rate = {800'000, 0};  // c0 - c2
  platform.links[1].total = {900'000, 0};
  const PlatformNetwork network(platform, ports_of(platform, 1000, 0));
  using Taken = std::vector<std::pair<BytesPerSecond, int>>;
  CHECK(taken(network, 0, 1) == Taken{{900'000, 1000}});
  CHECK(taken(network, 1, 2).empty());
  CHECK(taken(network, 0, 3) == Taken{{900'000, 1000}, {900'000, 1000}, {70'000, 1000}});
  CHECK(network.route(0, 1).uses.front() == network.route(0, 3).uses.front());  // the one port of rank 0
}

TEST_CASE(
    "messages inside a host share its cores where ranks outnumber these, and others take half of them at each end") {
  Platform platform = with_figures(clusters_of_hosts({{2, 2}}), 1);
  for (Host& host : platform.hosts) host.rate = {1'000, 0};
  platform.hosts[0].exchange = {9'000, 0};
  platform.hosts[0].message = {8'000, 0};
  using Taken = std::vector<std::pair<BytesPerSecond, int>>;
  const PlatformNetwork network(platform, ports_of(platform, 1000, 0));
  CHECK(taken(network, 0, 2) == Taken{{9'000, 1000}});
  CHECK(taken(network, 1, 3).empty());
  CHECK(taken(network, 0, 1) == Taken{{1'000, 1000}, {1'000, 1000}, {9'000, 500}});
  CHECK(taken(network, 3, 2) == taken(network, 1, 0));
  CHECK(taken(network, 0, 0).empty());
}

TEST_CASE("messages inside a host share what they get together, and those to other hosts too where cores move them") {
  Platform platform = with_figures(clusters_of_hosts({{2, 2}}), 1);  // ranks 0 and 2 on one host, 1 and 3 on the other
  for (Host& host : platform.hosts) {
    host.rate = {1'000, 0};
    host.exchange = {900, 0};
  }
  using Taken = std::vector<std::pair<BytesPerSecond, int>>;
  const PlatformNetwork memory(platform, ports_of(platform, 1000, 0));
  CHECK(taken(memory, 0, 2) == Taken{{900, 1000}});
  CHECK(taken(memory, 0, 1) == Taken{{1000, 1000}, {1000, 1000}});
  for (Host& host : platform.hosts) host.message = {8'000, 0};
  const PlatformNetwork cores(platform, ports_of(platform, 1000, 0));
  CHECK(taken(cores, 0, 2) == Taken{{900, 1000}});
  CHECK(taken(cores, 0, 1) == Taken{{1000, 1000}, {1000, 1000}, {900, 500}, {900, 500}});
}

TEST_CASE("thousandths of a time and back") {
  CHECK(part_of(5'000'999, 250) == 1'250'000);
  CHECK(thousandths_of(5'000'000, 1'250'000) == 250);
  CHECK(thousandths_of(5'000'000, -1) == 0);
  CHECK(thousandths_of(1, 5'000'000) == 1'000'000);
}
