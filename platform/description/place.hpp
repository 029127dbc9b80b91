#pragma once

namespace tombolo {

/// The position of a rank in its host: by kind, the object, numbered within the host, that contains all hardware
/// threads the rank may use; -1 if the rank may use several. Ranks of a host share the objects with equal numbers.
struct Place {
  int package = -1;
  int numa = -1;   ///< memory node
  int cache = -1;  ///< last-level cache
  int core = -1;
  bool operator==(const Place&) const = default;
};

/// Finds the place of this process with hwloc, from its CPU binding. Never fails: an unknown number is -1. Takes some
/// milliseconds; keep the result.
Place find_place();

}  // namespace tombolo
