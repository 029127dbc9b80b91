#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>

#include <tombolo/platform/simgrid/split.hpp>

namespace tombolo::simgrid {

namespace {

// Disjoint sets with union and find.
class Sets {
 public:
  explicit Sets(std::size_t count) : parents_(count) { std::iota(parents_.begin(), parents_.end(), std::size_t{0}); }

  std::size_t find(std::size_t i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    const auto [low, high] = std::minmax({find(a), find(b)});
    parents_[high] = low;
  }

 private:
  std::vector<std::size_t> parents_;
};

// Splits the hosts of a cluster: two hosts are in one part if no contended link is between them that only some messages
// of the cluster use.
std::vector<HostGroup> behind_uplinks(const std::vector<int>& hosts, const Fabric& fabric, const Sharing& sharing) {
  std::unordered_map<int, std::size_t> messages;  // by contended wire
  for (const int from : hosts) {
    for (const int to : hosts) {
      if (from == to) continue;
      for (const int wire : fabric.route(from, to)) {
        if (sharing.contended[static_cast<std::size_t>(wire)] != 0) ++messages[wire];
      }
    }
  }
  const std::size_t all = hosts.size() * (hosts.size() - 1);
  const auto separates = [&](int wire) {
    const auto found = messages.find(wire);
    return found != messages.end() && found->second < all;
  };
  Sets sets(hosts.size());
  for (std::size_t a = 0; a < hosts.size(); ++a) {
    for (std::size_t b = 0; b < hosts.size(); ++b) {
      if (a == b || sets.find(a) == sets.find(b)) continue;
      const auto route = fabric.route(hosts[a], hosts[b]);
      if (std::none_of(route.begin(), route.end(), separates)) sets.join(a, b);
    }
  }
  std::vector<HostGroup> parts;
  std::vector<std::size_t> part_of(hosts.size(), hosts.size());  // by the representative of a set
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    std::size_t& part = part_of[sets.find(h)];
    if (part == hosts.size()) {
      part = parts.size();
      parts.emplace_back();
    }
    parts[part].hosts.push_back(hosts[h]);
  }
  return parts;
}

// A wire that may be a line: whom the first of its senders reaches through it.
struct Divider {
  int sender = -1;
  std::vector<char> beyond;     // by host
  std::uint64_t across = 0;     // pairs of hosts, one on each side, whose messages use it
  std::uint64_t one_sided = 0;  // pairs on the same side
};

// Returns the innermost zone that contains all these hosts.
int zone_around(const std::vector<int>& hosts, const Fabric& fabric) {
  int zone = fabric.machine(hosts.front()).zone;
  for (const int host : hosts) {
    int other = fabric.machine(host).zone;
    while (zone != other) {
      int& deeper = fabric.zone(zone).depth >= fabric.zone(other).depth ? zone : other;
      deeper = fabric.zone(deeper).parent;
    }
  }
  return zone;
}

void name_by(HostGroup& group, const Fabric& fabric, const std::vector<std::size_t>& hosts_in_zone) {
  const int zone = zone_around(group.hosts, fabric);
  if (hosts_in_zone[static_cast<std::size_t>(zone)] == group.hosts.size()) {
    group.name = fabric.zone(zone).name;
  }
  for (HostGroup& inner : group.groups) name_by(inner, fabric, hosts_in_zone);
}

}  // namespace

void split_at_uplinks(HostGroup& group, const Fabric& fabric, const Sharing& sharing) {
  for (HostGroup& inner : group.groups) split_at_uplinks(inner, fabric, sharing);
  if (!group.groups.empty() || group.hosts.size() < 2) return;
  std::vector<HostGroup> parts = behind_uplinks(group.hosts, fabric, sharing);
  const bool tells = parts.size() > 1 && parts.size() < group.hosts.size();
  if (tells) group.groups = std::move(parts);
}

std::vector<DividingLine> lines_between(const Fabric& fabric, const Sharing& sharing) {
  const int hosts = fabric.hosts();
  std::vector<Divider> dividers(fabric.wires().size());
  const auto for_each_use = [&](auto visit) {
    for_each_pair(fabric, [&](int from, int to, std::span<const int> route) {
      for (const int wire : route) {
        const auto w = static_cast<std::size_t>(wire);
        if (sharing.contended[w] != 0) visit(dividers[w], from, to);
      }
    });
  };
  for_each_use([&](Divider& divider, int from, int to) {
    if (divider.sender < 0) {
      divider.sender = from;
      divider.beyond.resize(static_cast<std::size_t>(hosts), 0);
    }
    if (divider.sender == from) divider.beyond[static_cast<std::size_t>(to)] = 1;
  });
  for_each_use([](Divider& divider, int from, int to) {
    const auto is_beyond = [&](int host) { return divider.beyond[static_cast<std::size_t>(host)]; };
    ++(is_beyond(from) == is_beyond(to) ? divider.one_sided : divider.across);
  });
  std::vector<DividingLine> lines;
  for (std::size_t wire = 0; wire < dividers.size(); ++wire) {
    const Divider& divider = dividers[wire];
    if (divider.sender < 0 || divider.one_sided > 0) continue;
    std::vector<int> side;
    for (int host = 0; host < hosts; ++host) {
      if (divider.beyond[static_cast<std::size_t>(host)] == 0) side.push_back(host);
    }
    const std::uint64_t each_way = side.size() * (static_cast<std::size_t>(hosts) - side.size());
    const bool is_line = divider.across == each_way || divider.across == 2 * each_way;
    if (is_line) lines.push_back({.side = std::move(side), .rate = fabric.wires()[wire].rate});
  }
  return lines;
}

void name_by_zones(HostGroup& group, const Fabric& fabric) {
  std::vector<std::size_t> hosts_in_zone(fabric.zones().size(), 0);
  for (int h = 0; h < fabric.hosts(); ++h) {
    for (int zone = fabric.machine(h).zone; zone >= 0; zone = fabric.zone(zone).parent) {
      ++hosts_in_zone[static_cast<std::size_t>(zone)];
    }
  }
  name_by(group, fabric, hosts_in_zone);
}

std::vector<const HostGroup*> clusters_of(const HostGroup& group) {
  std::vector<const HostGroup*> found;
  for (const GroupSpan& span : spans_of(group)) {
    if (span.children.empty()) found.push_back(span.group);
  }
  return found;
}

}  // namespace tombolo::simgrid
