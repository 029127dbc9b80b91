#include "collectives/forms/grid_exchange.hpp"

#include <algorithm>

#include <tombolo/models/fitting/arithmetic.hpp>

namespace tombolo::forms {

Picoseconds grid_exchange(std::span<const ClusterExchange> clusters, const ClusterTime& time, Bytes bytes) {
  Picoseconds local = 0;
  Picoseconds between = 0;
  for (std::size_t a = 0; a < clusters.size(); ++a) {
    local = std::max(local, clusters[a].local);
    Picoseconds with_others = 0;
    for (std::size_t b = 0; b < clusters.size(); ++b) {
      if (a == b) continue;
      const int own = clusters[a].ranks;
      const int others = clusters[b].ranks;
      const int messages = (others + own - 1) / own;
      const Picoseconds each = time(static_cast<int>(a), static_cast<int>(b), std::min(own, others) * bytes);
      with_others = plus(with_others, times(messages, each));
    }
    between = std::max(between, with_others);
  }
  return plus(local, between);
}

}  // namespace tombolo::forms
