#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/platform/simgrid/fabric.hpp>
#include <tombolo/platform/simgrid/rates.hpp>
#include <tombolo/platform/simgrid/sharing.hpp>
#include <tombolo/platform/simgrid/split.hpp>

namespace tombolo::simgrid {

namespace {

// The total rate of concurrent messages.
class Together {
 public:
  // `fabric` must outlive this object.
  explicit Together(const Fabric& fabric) : fabric_(fabric), messages_(fabric.wires().size(), 0) {}

  // Returns the total rate, in B/s, of one message from each of the first hosts of one list to its counterpart in the
  // other, as many as the shorter list has; unlimited if nothing limits them. The rate of a message is the smallest of
  // its equal shares of the wires on its route.
  BytesPerSecond rate(const std::vector<int>& from, const std::vector<int>& to);

 private:
  const Fabric& fabric_;
  std::vector<int> messages_;  // by wire; 0 between calls
};

// By wire: the number of host pairs whose routes use it, by the clusters of the hosts.
class Crossings {
 public:
  struct Wired {
    std::uint64_t pairs = 0;
    std::unordered_map<std::uint64_t, std::uint64_t> by_clusters;  // by ends(from, to)
  };

  void pass(int wire, int from_cluster, int to_cluster);
  const std::map<int, Wired>& wires() const { return wires_; }
  // Returns the wires used by messages inside a cluster, each with the first such cluster, but for backbones.
  std::vector<std::pair<int, int>> inside(const std::vector<int>& hosts_of) const;

 private:
  std::map<int, Wired> wires_;
};

BytesPerSecond Together::rate(const std::vector<int>& from, const std::vector<int>& to) {
  const std::size_t flows = std::min(from.size(), to.size());
  const auto count = [&](int sign) {
    for (std::size_t f = 0; f < flows; ++f) {
      for (const int wire : fabric_.route(from[f], to[f])) messages_[static_cast<std::size_t>(wire)] += sign;
    }
  };
  count(1);
  // In doubles, since sums of shares of 10^18 do not fit an integer exactly. The result is rounded to whole bytes.
  double sum = 0;
  bool limited = true;
  for (std::size_t f = 0; f < flows; ++f) {
    auto part = static_cast<double>(unlimited);
    for (const int wire : fabric_.route(from[f], to[f])) {
      const Wire& on_way = fabric_.wire(wire);
      if (on_way.rate == unlimited) continue;
      const int sharers = on_way.shared ? messages_[static_cast<std::size_t>(wire)] : 1;
      part = std::min(part, static_cast<double>(on_way.rate) / sharers);
    }
    limited = limited && part < static_cast<double>(unlimited);
    sum += part;
  }
  count(-1);
  constexpr double most = 9e18;
  return limited && sum < most ? std::llround(sum) : unlimited;
}

// A group as a range of cluster numbers.
struct Span {
  const HostGroup* group = nullptr;
  int first = 0;
  int end = 0;

  bool holds(int cluster) const { return cluster >= first && cluster < end; }
};

void collect(const HostGroup& group, int& clusters, std::vector<Span>& found) {
  const std::size_t place = found.size();
  found.push_back({.group = &group, .first = clusters});
  if (group.groups.empty()) ++clusters;
  for (const HostGroup& inner : group.groups) collect(inner, clusters, found);
  found[place].end = clusters;
}

// Returns true if all routes out of the group use the wire, and every route that uses the wire crosses the group's
// border.
bool carries_all_that_leaves(const Crossings::Wired& wired, const Span& span, std::uint64_t leaving) {
  if (wired.pairs < leaving || wired.pairs > 2 * leaving) return false;
  std::uint64_t out = 0;
  for (const auto& [clusters, pairs] : wired.by_clusters) {
    const bool from_inside = span.holds(static_cast<int>(clusters >> 32));
    const bool to_inside = span.holds(static_cast<int>(clusters & 0xffffffffU));
    if (from_inside == to_inside) return false;
    if (from_inside) out += pairs;
  }
  return out == leaving;
}

void Crossings::pass(int wire, int from_cluster, int to_cluster) {
  Wired& wired = wires_[wire];
  ++wired.pairs;
  ++wired.by_clusters[ends(from_cluster, to_cluster)];
}

// Returns true if all messages of the hosts of the cluster use the wire, and no others. `hosts_of`: by cluster.
bool is_backbone(const Crossings::Wired& wired, int cluster, const std::vector<int>& hosts_of) {
  const auto hosts = static_cast<std::uint64_t>(hosts_of[static_cast<std::size_t>(cluster)]);
  const auto all = static_cast<std::uint64_t>(std::accumulate(hosts_of.begin(), hosts_of.end(), 0));
  const auto inside = wired.by_clusters.find(ends(cluster, cluster));
  if (inside == wired.by_clusters.end() || inside->second != hosts * (hosts - 1)) return false;
  return wired.pairs == hosts * (hosts - 1) + 2 * hosts * (all - hosts) &&
         std::ranges::all_of(wired.by_clusters, [cluster](const auto& pairs) {
           return static_cast<int>(pairs.first >> 32) == cluster ||
                  static_cast<int>(pairs.first & 0xffffffffU) == cluster;
         });
}

std::vector<std::pair<int, int>> Crossings::inside(const std::vector<int>& hosts_of) const {
  std::vector<std::pair<int, int>> found;
  for (const auto& [wire, wired] : wires_) {
    int least = -1;
    for (const auto& [clusters, pairs] : wired.by_clusters) {
      const auto cluster = static_cast<int>(clusters >> 32);
      const bool inside = clusters == ends(cluster, cluster);
      if (inside && (least < 0 || cluster < least)) least = cluster;
    }
    if (least >= 0 && !is_backbone(wired, least, hosts_of)) found.emplace_back(wire, least);
  }
  return found;
}

// Returns by group, in depth-first order, the smallest rate among the wires used by all messages that leave the group
// and by no messages inside it or outside it; 0 if there is no such wire, or if the rate is not less than its hosts
// could send.
std::vector<BytesPerSecond> find_uplinks(const Fabric& fabric, const Sharing& sharing, const HostGroup& groups,
                                         const Crossings& crossings) {
  std::vector<Span> spans;
  int clusters = 0;
  collect(groups, clusters, spans);
  std::vector<BytesPerSecond> uplinks;
  for (const Span& span : spans) {
    const std::uint64_t inside = span.group->hosts.size();
    const std::uint64_t leaving = inside * (static_cast<std::uint64_t>(fabric.hosts()) - inside);
    BytesPerSecond least = unlimited;
    for (const auto& [wire, wired] : crossings.wires()) {
      if (leaving == 0 || !carries_all_that_leaves(wired, span, leaving)) continue;
      least = std::min(least, fabric.wire(wire).rate);
    }
    BytesPerSecond could_send = 0;
    for (const int host : span.group->hosts) {
      could_send = plus(could_send, sharing.own_rate[static_cast<std::size_t>(host)]);
    }
    uplinks.push_back(least < could_send ? least : 0);
  }
  return uplinks;
}

std::size_t at(int number) {
  return static_cast<std::size_t>(number);
}

// Returns by cluster the smallest rate among the wires that all messages of its hosts use, and no others; 0 if there is
// no such wire, or if the rate is not less than its hosts could send.
std::vector<BytesPerSecond> find_backbones(const Fabric& fabric, const Sharing& sharing,
                                           const std::vector<const HostGroup*>& clusters,
                                           const std::vector<int>& hosts_of, const Crossings& crossings) {
  std::vector<BytesPerSecond> least(clusters.size(), unlimited);
  for (const auto& [wire, wired] : crossings.wires()) {
    const auto cluster = static_cast<int>(wired.by_clusters.begin()->first >> 32);
    const auto other = static_cast<int>(wired.by_clusters.begin()->first & 0xffffffffU);
    for (const int c : {cluster, other}) {
      if (is_backbone(wired, c, hosts_of)) least[at(c)] = std::min(least[at(c)], fabric.wire(wire).rate);
    }
  }
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    BytesPerSecond could_send = 0;
    for (const int host : clusters[c]->hosts) could_send = plus(could_send, sharing.own_rate[at(host)]);
    if (least[c] >= could_send) least[c] = 0;
  }
  return least;
}

BytesPerSecond known(BytesPerSecond rate) {
  return rate == unlimited ? 0 : rate;
}

// The maximum rate of one message, without the limits of its hosts unless stated.
struct Best {
  std::vector<BytesPerSecond> anywhere;  // by host, to or from any other
  std::vector<BytesPerSecond> inside;    // by host, to or from another host of its cluster; 0 if there is none
  std::vector<BytesPerSecond> between;   // by pair of clusters, including the limits of the hosts
};

Best best_of(const Fabric& fabric, const Sharing& sharing, const std::vector<int>& cluster_of, int clusters,
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
    // A limit on every message inside a cluster is entered as the hosts' rate, since a platform has no other figure for
    // it.
    BytesPerSecond rate = sharing.own_rate[h];
    if (best.inside[h] > 0) rate = std::min(rate, best.inside[h]);
    if (rate == unlimited && best.anywhere[h] > 0) rate = best.anywhere[h];
    rates.push_back(known(rate));
  }
  return rates;
}

// Describes the links inside a cluster that its messages share.
std::vector<std::string> shared_inside(const Fabric& fabric, const std::vector<const HostGroup*>& clusters,
                                       const std::vector<int>& hosts_of, const Crossings& crossings) {
  constexpr std::size_t most = 8;
  std::vector<std::string> notes;
  for (const auto& [wire, cluster] : crossings.inside(hosts_of)) {
    if (notes.size() == most) {
      notes.emplace_back("more links that the hosts of a cluster share");
      break;
    }
    const HostGroup& group = *clusters[at(cluster)];
    notes.push_back(fmt::format("that messages inside {} share {} ({:g} MB/s)",
                                group.name.empty() ? "the cluster of " + fabric.name(group.hosts.front()) : group.name,
                                fabric.wire(wire).name, static_cast<double>(fabric.wire(wire).rate) * 1e-6));
  }
  return notes;
}

}  // namespace

Rates find_rates(const Fabric& fabric, const Sharing& sharing, const HostGroup& groups) {
  const auto clusters = clusters_of(groups);
  const auto count = static_cast<int>(clusters.size());
  std::vector<int> cluster_of(at(fabric.hosts()), 0);
  std::vector<int> hosts_of;
  for (int c = 0; c < count; ++c) {
    hosts_of.push_back(static_cast<int>(clusters[at(c)]->hosts.size()));
    for (const int host : clusters[at(c)]->hosts) cluster_of[at(host)] = c;
  }
  Crossings crossings;
  const Best best = best_of(fabric, sharing, cluster_of, count, crossings);
  Rates rates{.hosts = host_rates(best, sharing),
              .links = {},
              .uplinks = find_uplinks(fabric, sharing, groups, crossings),
              .backbones = find_backbones(fabric, sharing, clusters, hosts_of, crossings),
              .left_out = shared_inside(fabric, clusters, hosts_of, crossings)};
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
