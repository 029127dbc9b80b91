#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <hwloc.h>

#include <tombolo/platform/description/host_levels.hpp>

namespace tombolo {

namespace {

struct Part {
  Level::Kind kind;
  const char* name;
  int Place::*number;
};

// The kinds of levels inside a host, from the outside in.
constexpr std::array<Part, 4> parts = {{{Level::Kind::package, "package", &Place::package},
                                        {Level::Kind::numa, "memory node", &Place::numa},
                                        {Level::Kind::cache, "cache", &Place::cache},
                                        {Level::Kind::core, "core", &Place::core}}};

struct Placed {
  Rank rank;
  Place place;
};

Level level_of(Level::Kind kind, std::string name, const std::vector<Placed>& members) {
  Level level{.kind = kind, .name = std::move(name), .ranks = {}, .children = {}};
  for (const Placed& member : members) level.ranks.push_back(member.rank);
  return level;
}

Level leaf(const Placed& member) {
  return level_of(Level::Kind::rank, fmt::format("rank {}", member.rank), {member});
}

// Returns the levels inside a level with these ranks, for the parts from `depth` inwards.
std::vector<Level> below(const std::vector<Placed>& members, std::size_t depth) {
  std::vector<Level> found;
  if (depth == parts.size()) {
    for (const Placed& member : members) found.push_back(leaf(member));
    return found;
  }
  const Part& part = parts.at(depth);
  std::map<int, std::vector<Placed>> sharing;
  for (const Placed& member : members) sharing[member.place.*part.number].push_back(member);
  if (sharing.size() == 1) return below(members, depth + 1);  // separates nothing

  for (const auto& [number, some] : sharing) {
    if (number < 0 || some.size() == 1) {
      for (const Placed& member : some) found.push_back(leaf(member));
      continue;
    }
    Level level = level_of(part.kind, fmt::format("{} {}", part.name, number), some);
    level.children = below(some, depth + 1);
    found.push_back(std::move(level));
  }
  std::ranges::sort(found, {}, [](const Level& level) { return level.ranks.front(); });
  return found;
}

}  // namespace

Level host_level(std::string name, std::span<const Rank> ranks, std::span<const Place> places) {
  std::vector<Placed> members;
  for (std::size_t i = 0; i < ranks.size(); ++i) members.push_back({ranks[i], places[i]});
  Level host = level_of(Level::Kind::host, std::move(name), members);
  if (members.size() > 1) host.children = below(members, 0);
  return host;
}

namespace {

using Topology = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;
using Cpuset = std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)>;

// Returns the number of the object of this type that contains the whole set; -1 if there is none.
int number_of_holder(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_const_cpuset_t set) {
  const int count = hwloc_get_nbobjs_by_type(topology, type);
  for (int i = 0; i < count; ++i) {
    const hwloc_obj_t object = hwloc_get_obj_by_type(topology, type, static_cast<unsigned>(i));
    if (object->cpuset != nullptr && hwloc_bitmap_isincluded(set, object->cpuset) != 0) return i;
  }
  return -1;
}

}  // namespace

Place find_place() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return {};
  const Topology topology(raw, hwloc_topology_destroy);
  // Includes disallowed objects: object numbers must be the same for all ranks of a host, with any cpusets.
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED | HWLOC_TOPOLOGY_FLAG_NO_DISTANCES |
                                    HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS | HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS);
  hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE);
  if (hwloc_topology_load(raw) != 0) return {};
  const Cpuset mine(hwloc_bitmap_alloc(), hwloc_bitmap_free);
  if (mine == nullptr || hwloc_get_cpubind(raw, mine.get(), HWLOC_CPUBIND_PROCESS) != 0) return {};
  if (hwloc_bitmap_iszero(mine.get()) != 0) return {};
  const hwloc_obj_type_t last_cache =
      hwloc_get_nbobjs_by_type(raw, HWLOC_OBJ_L3CACHE) > 0 ? HWLOC_OBJ_L3CACHE : HWLOC_OBJ_L2CACHE;
  return {.package = number_of_holder(raw, HWLOC_OBJ_PACKAGE, mine.get()),
          .numa = number_of_holder(raw, HWLOC_OBJ_NUMANODE, mine.get()),
          .cache = number_of_holder(raw, last_cache, mine.get()),
          .core = number_of_holder(raw, HWLOC_OBJ_CORE, mine.get())};
}

}  // namespace tombolo
