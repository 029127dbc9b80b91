#pragma once

#include <algorithm>

#include <tombolo/models/model.hpp>

namespace tombolo {

/// A cost whose parts are wanted, by when the message is there in all, which is kept: what of `receive_overhead`, then
/// of `receive`, does not fit in is left out, and what is left over is transit.
inline MessageCost total_cost(MessageCost wanted, Picoseconds total) {
  total = std::max<Picoseconds>(total, 0);
  wanted.receive_overhead = std::clamp<Picoseconds>(wanted.receive_overhead, 0, total);
  wanted.receive = std::clamp<Picoseconds>(wanted.receive, 0, total - wanted.receive_overhead);
  wanted.transit = total - wanted.receive_overhead - wanted.receive;
  return wanted;
}

/// time * count, which is 0 or more; `never` where it does not fit.
constexpr Picoseconds times(Picoseconds time, std::int64_t count) {
  return count > 0 && time > never / count ? never : time * count;
}

}  // namespace tombolo
