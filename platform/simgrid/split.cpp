#include <algorithm>
#include <numeric>
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

void collect(const HostGroup& group, std::vector<const HostGroup*>& found) {
  if (group.groups.empty()) found.push_back(&group);
  for (const HostGroup& inner : group.groups) collect(inner, found);
}

}  // namespace

void split_at_uplinks(HostGroup& group, const Fabric& fabric, const Sharing& sharing) {
  for (HostGroup& inner : group.groups) split_at_uplinks(inner, fabric, sharing);
  if (!group.groups.empty() || group.hosts.size() < 2) return;
  std::vector<HostGroup> parts = behind_uplinks(group.hosts, fabric, sharing);
  const bool tells = parts.size() > 1 && parts.size() < group.hosts.size();
  if (tells) group.groups = std::move(parts);
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
  collect(group, found);
  return found;
}

}  // namespace tombolo::simgrid
