#include <algorithm>

#include <tombolo/platform/simgrid/split.hpp>
#include <tombolo/platform/simgrid/uplinks.hpp>

namespace tombolo::simgrid {

namespace {

// A group by the numbers of its clusters, which follow each other.
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

// Whether all pairs that leave the group, and none that do not cross its border, have the wire on their way.
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

}  // namespace

void Crossings::pass(int wire, int from_cluster, int to_cluster) {
  Wired& wired = wires_[wire];
  ++wired.pairs;
  ++wired.by_clusters[ends(from_cluster, to_cluster)];
}

std::vector<std::pair<int, int>> Crossings::inside() const {
  std::vector<std::pair<int, int>> found;
  for (const auto& [wire, wired] : wires_) {
    int least = -1;
    for (const auto& [clusters, pairs] : wired.by_clusters) {
      const auto cluster = static_cast<int>(clusters >> 32);
      const bool inside = clusters == ends(cluster, cluster);
      if (inside && (least < 0 || cluster < least)) least = cluster;
    }
    if (least >= 0) found.emplace_back(wire, least);
  }
  return found;
}

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
      least = std::min(least, fabric.network().wire(wire).rate);
    }
    BytesPerSecond could_send = 0;
    for (const int host : span.group->hosts) {
      could_send = plus(could_send, sharing.own_rate[static_cast<std::size_t>(host)]);
    }
    uplinks.push_back(least < could_send ? least : 0);
  }
  return uplinks;
}

}  // namespace tombolo::simgrid
