#include <tombolo/collectives/lane_set.hpp>

namespace tombolo {

int LaneSet::lane(Rank peer) {
  if (window_ <= 0) return 0;
  const auto [at, first] = lanes_.try_emplace(shared_ ? 0 : peer, 0);
  if (first) at->second = writer_.lane(window_);
  return at->second;
}

}  // namespace tombolo
