#pragma once

#include <algorithm>

#include <tombolo/models/fitting/arithmetic.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// Fits a cost to the total time until arrival: shortens `receive_overhead`, then `receive`, to what fits, and sets
/// `transit` to the rest.
inline MessageCost total_cost(MessageCost wanted, Picoseconds total) {
  total = std::max<Picoseconds>(total, 0);
  wanted.receive_overhead = std::clamp<Picoseconds>(wanted.receive_overhead, 0, total);
  wanted.receive = std::clamp<Picoseconds>(wanted.receive, 0, total - wanted.receive_overhead);
  wanted.transit = total - wanted.receive_overhead - wanted.receive;
  return wanted;
}

}  // namespace tombolo
