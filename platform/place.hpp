#pragma once

namespace tombolo {

/// Where in its host a rank runs: the objects, by their numbers in the host, that hold all the hardware threads that
/// the rank may use; -1 where it may use several. Ranks of a host share what they have the same number of.
struct Place {
  int package = -1;
  int numa = -1;   ///< memory node
  int cache = -1;  ///< last-level cache
  int core = -1;
  bool operator==(const Place&) const = default;
};

/// Asks hwloc where this process runs, by the threads that it is bound to. Never fails: what cannot be found is -1.
/// Takes some milliseconds; keep the result.
Place find_place();

}  // namespace tombolo
