#include "collectives/forms/alltoall.hpp"

namespace tombolo::forms {

AlltoallBounds alltoall_bounds(const Plogp& plogp, int ranks, Bytes bytes) {
  if (ranks == 1) return {};
  const Picoseconds receives = plus(times(ranks - 1, plogp.receiving(bytes)), plogp.latency);
  return {plus(times(ranks - 1, plogp.sending(bytes)), receives), plus(times(ranks - 1, plogp.gap(bytes)), receives)};
}

}  // namespace tombolo::forms
