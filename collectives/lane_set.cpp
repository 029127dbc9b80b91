#include <tombolo/collectives/lane_set.hpp>
#include <tombolo/collectives/role.hpp>

namespace tombolo {

int LaneSet::lane(Rank peer, int further) {
  if (window_ <= 0) return 0;
  const auto [at, first] = lanes_.try_emplace(shared_ && further == 0 ? nobody : peer, 0);
  if (first) at->second = writer_.lane(window_ + further);
  return at->second;
}

}  // namespace tombolo
