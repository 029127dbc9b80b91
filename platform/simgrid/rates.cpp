#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <tombolo/platform/simgrid/rates.hpp>
#include <tombolo/platform/simgrid/split.hpp>
#include <tombolo/platform/simgrid/together.hpp>
#include <tombolo/platform/simgrid/uplinks.hpp>

namespace tombolo::simgrid {

namespace {

std::size_t at(int number) {
  return static_cast<std::size_t>(number);
}

BytesPerSecond known(BytesPerSecond rate) {
  return rate == unlimited ? 0 : rate;
}

// The most that one message gets, beyond what its hosts limit.
struct Best {
  std::vector<BytesPerSecond> anywhere;  // by host, to or from any other
  std::vector<BytesPerSecond> inside;    // by host, to or from another of its cluster; 0: there is none
  std::vector<BytesPerSecond> between;   // by pair of clusters, hosts included
};

Best best_of(Fabric& fabric, const Sharing& sharing, const std::vector<int>& cluster_of, int clusters,
             Crossings& crossings) {
  const auto hosts = at(fabric.hosts());
  Best best{.anywhere = std::vector<BytesPerSecond>(hosts, 0),
            .inside = std::vector<BytesPerSecond>(hosts, 0),
            .between = std::vector<BytesPerSecond>(at(clusters) * at(clusters), 0)};
  const auto raise = [](BytesPerSecond& most, BytesPerSecond rate) { most = std::max(most, rate); };
  for (int a = 0; a < fabric.hosts(); ++a) {
    for (int b = 0; b < fabric.hosts(); ++b) {
      if (a == b) continue;
      const auto route = fabric.route(a, b);
      const BytesPerSecond rate = rate_beyond_hosts(fabric, sharing, route);
      const int from = cluster_of[at(a)];
      const int to = cluster_of[at(b)];
      for (const int host : {a, b}) {
        raise(best.anywhere[at(host)], rate);
        if (from == to) raise(best.inside[at(host)], rate);
      }
      raise(best.between[at(from) * at(clusters) + at(to)],
            std::min({rate, sharing.own_rate[at(a)], sharing.own_rate[at(b)]}));
      for (const int wire : route) {
        if (sharing.contended[at(wire)] != 0) crossings.pass(wire, from, to);
      }
    }
  }
  return best;
}

std::vector<BytesPerSecond> host_rates(const Best& best, const Sharing& sharing) {
  std::vector<BytesPerSecond> rates;
  for (std::size_t h = 0; h < sharing.own_rate.size(); ++h) {
    // What limits every message inside a cluster has no other place.
    BytesPerSecond rate = sharing.own_rate[h];
    if (best.inside[h] > 0) rate = std::min(rate, best.inside[h]);
    if (rate == unlimited && best.anywhere[h] > 0) rate = best.anywhere[h];
    rates.push_back(known(rate));
  }
  return rates;
}

// Links inside a cluster that its messages share.
std::vector<std::string> shared_inside(const Fabric& fabric, const std::vector<const HostGroup*>& clusters,
                                       const Crossings& crossings) {
  constexpr std::size_t most = 8;
  std::vector<std::string> notes;
  for (const auto& [wire, cluster] : crossings.inside()) {
    if (notes.size() == most) {
      notes.emplace_back("more links that the hosts of a cluster share");
      break;
    }
    const HostGroup& group = *clusters[at(cluster)];
    notes.push_back(fmt::format("that messages inside {} share {} ({:g} MB/s)",
                                group.name.empty() ? "the cluster of " + fabric.name(group.hosts.front()) : group.name,
                                fabric.network().wire(wire).name,
                                static_cast<double>(fabric.network().wire(wire).rate) * 1e-6));
  }
  return notes;
}

}  // namespace

Rates find_rates(Fabric& fabric, const Sharing& sharing, const HostGroup& groups) {
  const auto clusters = clusters_of(groups);
  const auto count = static_cast<int>(clusters.size());
  std::vector<int> cluster_of(at(fabric.hosts()), 0);
  for (int c = 0; c < count; ++c) {
    for (const int host : clusters[at(c)]->hosts) cluster_of[at(host)] = c;
  }
  Crossings crossings;
  const Best best = best_of(fabric, sharing, cluster_of, count, crossings);
  Rates rates{.hosts = host_rates(best, sharing),
              .links = {},
              .uplinks = find_uplinks(fabric, sharing, groups, crossings),
              .left_out = shared_inside(fabric, clusters, crossings)};
  Together together(fabric);
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      const BytesPerSecond there = best.between[at(a) * at(count) + at(b)];
      const BytesPerSecond back = best.between[at(b) * at(count) + at(a)];
      const auto& from = clusters[at(a)]->hosts;
      const auto& to = clusters[at(b)]->hosts;
      Link link{.a = a, .b = b, .rate = {.value = known(std::min(there, back))}};
      const BytesPerSecond total = std::min(together.rate(from, to), together.rate(to, from));
      if (total < unlimited) {
        link.total.value = total;
        link.flows = static_cast<int>(std::min(from.size(), to.size()));
      }
      rates.links.push_back(link);
    }
  }
  return rates;
}

}  // namespace tombolo::simgrid
