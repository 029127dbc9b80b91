#include <memory>

#include <hwloc.h>

#include <tombolo/platform/description/place.hpp>

namespace tombolo {

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
