#include "collectives/forms/broadcast.hpp"

#include "collectives/forms/log2.hpp"

namespace tombolo::forms {

Picoseconds flat_broadcast(const Plogp& plogp, int ranks, Bytes bytes, int segments) {
  if (ranks == 1) return 0;
  return plus(times(ranks - 1, times(segments, plogp.gap(bytes))), plogp.latency);
}

Picoseconds chain_broadcast(const Plogp& plogp, int ranks, Bytes bytes, int segments) {
  if (ranks == 1) return 0;
  const Picoseconds gap = plogp.gap(bytes);
  return plus(times(ranks - 1, plus(gap, plogp.latency)), times(segments - 1, gap));
}

Picoseconds binary_broadcast_bound(const Plogp& plogp, int ranks, Bytes bytes) {
  return times(log2_ceil(ranks), plus(times(2, plogp.gap(bytes)), plogp.latency));
}

Picoseconds binomial_broadcast(const Plogp& plogp, int ranks, Bytes bytes, int segments) {
  return plus(times(log2_floor(ranks), times(segments, plogp.gap(bytes))), times(log2_ceil(ranks), plogp.latency));
}

}  // namespace tombolo::forms
