#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <span>
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

// The child that holds a cluster inside. The children of a cluster are its hosts, so that none holds it.
std::ptrdiff_t child_of(const GroupSpan& span, int cluster) {
  return std::ranges::upper_bound(span.child_ends, cluster) - span.child_ends.begin();
}

void Crossings::pass(int wire, int from_cluster, int to_cluster) {
  Wired& wired = wires_[wire];
  ++wired.pairs;
  ++wired.by_clusters[ends(from_cluster, to_cluster)];
}

// Returns true if all messages that leave or enter a child of the group (a host of a cluster) use the wire, and no
// others. `all`: hosts of the platform.
bool is_backbone(const Crossings::Wired& wired, const GroupSpan& span, std::uint64_t all) {
  const std::uint64_t hosts = span.group->hosts.size();
  std::uint64_t inside = 0;  // pairs of hosts in different children
  if (span.group->groups.empty()) inside = hosts * (hosts - 1);
  for (const HostGroup& child : span.group->groups) inside += child.hosts.size() * (hosts - child.hosts.size());
  if (inside == 0 || wired.pairs != inside + 2 * hosts * (all - hosts)) return false;
  return std::ranges::all_of(wired.by_clusters, [&](const auto& pairs) {
    const auto from = static_cast<int>(pairs.first >> 32);
    const auto to = static_cast<int>(pairs.first & 0xffffffffU);
    if (!span.holds(from) || !span.holds(to)) return span.holds(from) || span.holds(to);
    return span.group->groups.empty() || child_of(span, from) != child_of(span, to);
  });
}

// Returns true if a wire's messages all go between the same two clusters, so that their link's total is its rate.
bool is_between_two(const Crossings::Wired& wired) {
  const std::uint64_t first = wired.by_clusters.begin()->first;
  const std::uint64_t back = first << 32 | first >> 32;
  return first != back && std::ranges::all_of(wired.by_clusters, [&](const auto& pairs) {
           return pairs.first == first || pairs.first == back;
         });
}

std::size_t at(int number) {
  return static_cast<std::size_t>(number);
}

BytesPerSecond sum_of_hosts(const GroupSpan& span, const Sharing& sharing) {
  BytesPerSecond sum = 0;
  for (const int host : span.group->hosts) sum = plus(sum, sharing.own_rate[at(host)]);
  return sum;
}

// Shared rates of groups, by group in depth-first order, and the wires that these stand for.
class GroupRates {
 public:
  GroupRates(const Fabric& fabric, const Sharing& sharing, const std::vector<GroupSpan>& spans,
             const Crossings& crossings)
      : fabric_(fabric), crossings_(crossings), stands_(fabric.wires().size(), 0) {
    for (const GroupSpan& span : spans) {
      const BytesPerSecond could_send = sum_of_hosts(span, sharing);
      const auto limit = [&](BytesPerSecond rate) { return rate < could_send ? rate : 0; };
      const BytesPerSecond uplink = uplink_of(span);
      if (uplink < unlimited) mark_entering(span);
      uplinks_.push_back(limit(uplink));
      backbones_.push_back(limit(backbone_of(span)));
    }
  }

  const std::vector<BytesPerSecond>& uplinks() const { return uplinks_; }
  const std::vector<BytesPerSecond>& backbones() const { return backbones_; }
  bool stands_for(int wire) const { return stands_[at(wire)] != 0; }
  // True for an uplink that messages out and in share: the uplink of a platform has a rate for each.
  bool is_for_each_way(int wire) const { return stands_[at(wire)] == stands_for_each_way; }

 private:
  static constexpr char stands_for_all = 1;
  static constexpr char stands_for_each_way = 2;

  // The smallest rate among the wires that all messages out of the group use, and none inside it or outside it; or the
  // sum of parallel ones, if that is less. `unlimited` if there are none.
  BytesPerSecond uplink_of(const GroupSpan& span) {
    const std::uint64_t leaving =
        span.group->hosts.size() * (static_cast<std::uint64_t>(fabric_.hosts()) - span.group->hosts.size());
    BytesPerSecond least = unlimited;
    if (leaving == 0) return least;
    std::vector<bool> parallel(fabric_.wires().size(), false);
    for (const auto& [wire, wired] : crossings_.wires()) {
      const std::uint64_t out = leaving_by(wired, span);
      if (out == 0) continue;
      if (out == leaving) {
        least = std::min(least, fabric_.wire(wire).rate);
        stands_[at(wire)] = wired.pairs == out ? stands_for_all : stands_for_each_way;
      } else if (!is_between_two(wired)) {
        parallel[at(wire)] = true;
      }
    }
    return std::min(least, sum_of_parallel(span, parallel));
  }

  // The uplink stands for the other direction, too.
  void mark_entering(const GroupSpan& span) {
    for (const auto& [wire, wired] : crossings_.wires()) {
      const bool enters = std::ranges::all_of(wired.by_clusters, [&](const auto& pairs) {
        return !span.holds(static_cast<int>(pairs.first >> 32)) &&
               span.holds(static_cast<int>(pairs.first & 0xffffffffU));
      });
      if (enters) stands_[at(wire)] = stands_for_all;
    }
  }

  // The pairs of hosts whose messages leave the group by the wire; 0 if others than those that cross its border use it.
  static std::uint64_t leaving_by(const Crossings::Wired& wired, const GroupSpan& span) {
    std::uint64_t out = 0;
    for (const auto& [clusters, pairs] : wired.by_clusters) {
      const bool from_inside = span.holds(static_cast<int>(clusters >> 32));
      if (from_inside == span.holds(static_cast<int>(clusters & 0xffffffffU))) return 0;
      if (from_inside) out += pairs;
    }
    return out;
  }

  // The sum of these wires if each message out of the group uses one of them, as in a fat tree.
  BytesPerSecond sum_of_parallel(const GroupSpan& span, const std::vector<bool>& parallel) {
    if (std::ranges::find(parallel, true) == parallel.end()) return unlimited;
    std::vector<bool> inside(at(fabric_.hosts()), false);
    for (const int host : span.group->hosts) inside[at(host)] = true;
    for (const int from : span.group->hosts) {
      for (int to = 0; to < fabric_.hosts(); ++to) {
        if (inside[at(to)]) continue;
        const auto route = fabric_.route(from, to);
        if (std::ranges::count_if(route, [&](int wire) { return parallel[at(wire)]; }) != 1) return unlimited;
      }
    }
    BytesPerSecond sum = 0;
    for (std::size_t wire = 0; wire < parallel.size(); ++wire) {
      if (!parallel[wire]) continue;
      sum = plus(sum, fabric_.wires()[wire].rate);
      stands_[wire] = stands_for_all;
    }
    return sum;
  }

  // The smallest rate among the wires that are backbones of the group; `unlimited` if there are none.
  BytesPerSecond backbone_of(const GroupSpan& span) {
    BytesPerSecond least = unlimited;
    for (const auto& [wire, wired] : crossings_.wires()) {
      if (!is_backbone(wired, span, static_cast<std::uint64_t>(fabric_.hosts()))) continue;
      least = std::min(least, fabric_.wire(wire).rate);
      stands_[at(wire)] = stands_for_all;
    }
    return least;
  }

  const Fabric& fabric_;
  const Crossings& crossings_;
  std::vector<char> stands_;  // by wire
  std::vector<BytesPerSecond> uplinks_;
  std::vector<BytesPerSecond> backbones_;
};

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
  for_each_pair(fabric, [&](int a, int b, std::span<const int> route) {
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
  });
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

// Returns the first cluster inside which a wire is used; -1 if there is none.
int first_cluster_inside(const Crossings::Wired& wired) {
  int first = -1;
  for (const auto& [clusters, pairs] : wired.by_clusters) {
    const auto cluster = static_cast<int>(clusters >> 32);
    if (clusters == ends(cluster, cluster) && (first < 0 || cluster < first)) first = cluster;
  }
  return first;
}

// The pairs of clusters whose messages, all of them, use the wire, and no others do; the first one from the lower
// number to the higher. Empty if the wire is no line between clusters, or one that both directions share.
std::vector<std::pair<int, int>> pairs_of(const Crossings::Wired& wired,
                                          const std::vector<const HostGroup*>& clusters) {
  std::vector<std::pair<int, int>> pairs;
  for (const auto& [ends_of, count] : wired.by_clusters) {
    const auto from = static_cast<int>(ends_of >> 32);
    const auto to = static_cast<int>(ends_of & 0xffffffffU);
    if (from == to || wired.by_clusters.contains(ends(to, from))) return {};
    if (count != clusters[at(from)]->hosts.size() * clusters[at(to)]->hosts.size()) return {};
    pairs.emplace_back(from, to);
  }
  const auto lowest =
      std::ranges::min(pairs, {}, [](const auto& pair) { return std::pair(std::minmax(pair.first, pair.second)); });
  if (lowest.first > lowest.second) {
    for (auto& [from, to] : pairs) std::swap(from, to);
  }
  std::ranges::sort(pairs);
  return pairs;
}

// The lines that several pairs of clusters share, and the wires that they stand for.
struct Lines {
  std::vector<SharedLine> lines;
  std::set<int> wires;
};

Lines lines_of(const Fabric& fabric, const std::vector<const HostGroup*>& clusters, const GroupRates& groups,
               const Crossings& crossings) {
  constexpr std::size_t most_pairs = std::size_t{1} << 16;  // of all lines; else they are left out
  Lines found;
  std::map<std::vector<std::pair<int, int>>, BytesPerSecond> rates;
  std::size_t all = 0;
  for (const auto& [wire, wired] : crossings.wires()) {
    if (groups.stands_for(wire) || is_between_two(wired)) continue;
    std::vector<std::pair<int, int>> pairs = pairs_of(wired, clusters);
    all += pairs.size();
    if (all > most_pairs) return {};
    if (pairs.empty()) continue;
    found.wires.insert(wire);
    const BytesPerSecond rate = fabric.wire(wire).rate;
    const auto [line, is_new] = rates.try_emplace(std::move(pairs), rate);
    if (!is_new) line->second = std::min(line->second, rate);
  }
  for (const auto& [pairs, rate] : rates) found.lines.push_back({.pairs = pairs, .rate = {.value = rate}});
  return found;
}

// Describes the shared links that a platform has no figure for: predictions take what is shared for free.
std::vector<std::string> not_expressed(const Fabric& fabric, const std::vector<const HostGroup*>& clusters,
                                       const GroupRates& groups, const Crossings& crossings,
                                       const std::set<int>& lines) {
  std::vector<std::string> notes;
  for (const auto& [wire, wired] : crossings.wires()) {
    const bool each_way = groups.is_for_each_way(wire);
    if (!each_way && (groups.stands_for(wire) || is_between_two(wired) || lines.contains(wire))) continue;
    const int inside = first_cluster_inside(wired);
    std::string which = each_way ? "out and in" : "between clusters";
    if (inside >= 0) {
      const HostGroup& group = *clusters[at(inside)];
      which = "inside " + (group.name.empty() ? "the cluster of " + fabric.name(group.hosts.front()) : group.name);
    }
    notes.push_back(fmt::format("that messages {} share {} ({:g} MB/s)", which, fabric.wire(wire).name,
                                static_cast<double>(fabric.wire(wire).rate) * 1e-6));
  }
  shorten(notes, "that messages share {} more links");
  return notes;
}

}  // namespace

Rates find_rates(const Fabric& fabric, const Sharing& sharing, const HostGroup& groups) {
  const auto clusters = clusters_of(groups);
  const auto count = static_cast<int>(clusters.size());
  std::vector<int> cluster_of(at(fabric.hosts()), 0);
  for (int c = 0; c < count; ++c) {
    for (const int host : clusters[at(c)]->hosts) cluster_of[at(host)] = c;
  }
  Crossings crossings;
  const Best best = best_of(fabric, sharing, cluster_of, count, crossings);
  const GroupRates of_groups(fabric, sharing, spans_of(groups), crossings);
  Lines lines = lines_of(fabric, clusters, of_groups, crossings);
  Rates rates{.hosts = host_rates(best, sharing),
              .links = {},
              .lines = std::move(lines.lines),
              .ways = {},
              .uplinks = of_groups.uplinks(),
              .backbones = of_groups.backbones(),
              .left_out = not_expressed(fabric, clusters, of_groups, crossings, lines.wires)};
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
      rates.ways.push_back(
          {.rates = {known(there), known(back)},
           .latencies = {fabric.latency(from.front(), to.front()), fabric.latency(to.front(), from.front())}});
    }
  }
  return rates;
}

}  // namespace tombolo::simgrid
