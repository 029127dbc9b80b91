#pragma once

#include <string>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// What one rank did from one time to another.
struct TraceSpan {
  Rank rank = 0;
  std::string name;      ///< of the phase or call: "bcast A", "multiply"
  std::string category;  ///< "compute", "collective", "own" (the program's own messages), "wait"
  double start_s = 0;    ///< seconds, on a clock that all spans share
  double end_s = 0;
  bool operator==(const TraceSpan&) const = default;
};

}  // namespace tombolo
