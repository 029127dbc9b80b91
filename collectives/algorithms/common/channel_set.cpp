#include <tombolo/collectives/algorithms/common/channel_set.hpp>
#include <tombolo/collectives/topology/role.hpp>

namespace tombolo {

int ChannelSet::channel(Rank peer, int further) {
  if (window_ <= 0) return 0;
  const auto [at, first] = channels_.try_emplace(shared_ && further == 0 ? nobody : peer, 0);
  if (first) at->second = writer_.channel(window_ + further);
  return at->second;
}

}  // namespace tombolo
