#include <algorithm>
#include <utility>

#include <tombolo/collectives/calibrate/linear_gather.hpp>
#include <tombolo/models/fitting/arithmetic.hpp>

namespace tombolo {

LinearGather::LinearGather(const Platform& platform, const Model& model,
                           std::vector<std::optional<MeasuredGather>> clusters)
    : model_(&model), clusters_(std::move(clusters)), cluster_(platform.processors.size()) {
  std::size_t number = 0;
  for (const Level* cluster : tombolo::clusters(platform.levels)) {
    for (const Rank rank : cluster->ranks) cluster_[static_cast<std::size_t>(rank)] = number;
    ++number;
  }
}

MessageCost LinearGather::message(Rank from, Rank to, Bytes bytes) const {
  MessageCost cost = model_->message(from, to, bytes);
  const std::size_t cluster = cluster_[static_cast<std::size_t>(to)];
  if (cluster != cluster_[static_cast<std::size_t>(from)] || !clusters_[cluster]) return cost;
  const auto& [ranks, thresholds, kappas] = *clusters_[cluster];
  const bool large = bytes > thresholds.large;
  if (!large && bytes > thresholds.small) return cost;
  if ((large ? thresholds.large_slope : thresholds.small_slope) == 0) return cost;
  Picoseconds at_root = plus(cost.receive, cost.receive_overhead);
  if (large) {
    at_root = plus(at_root, plus(cost.transit, cost.wire));
    cost.transit = 0;
    cost.wire = 0;
  }
  const Picoseconds beyond = scaled(bytes, large ? kappas.large : kappas.small, megabyte * (ranks - 1));
  cost.receive = beyond > 0 ? plus(at_root, beyond) : std::max<Picoseconds>(at_root + beyond, 0);
  cost.receive_overhead = 0;
  return cost;
}

}  // namespace tombolo
