#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tombolo/collectives/calibrate/thresholds.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/platform.hpp>

namespace tombolo {

/// What was measured of linear gathers inside a logical cluster.
struct MeasuredGather {
  int ranks = 0;  ///< of the measured gathers
  GatherThresholds thresholds;
  GatherSlopes kappas;
};

/// An LMO model as linear (flat) gathers follow it: equations 9 and 10 of the LMO paper, for messages inside clusters
/// with thresholds. Up to M_1 the root works on one message after the other; above M_2 messages arrive one after the
/// other, each occupying the root from its start on. kappa M, which belongs to a gather from all other ranks of the
/// cluster, is shared out evenly among its messages, so that a gather from fewer ranks has less of it. Other messages
/// have the costs of the model, as do sizes without a measured slope.
class LinearGather final : public Model {
 public:
  /// `clusters` is in the order of clusters(); empty entries are clusters without thresholds. `model` must outlive the
  /// object.
  LinearGather(const Platform& platform, const Model& model, std::vector<std::optional<MeasuredGather>> clusters);

  std::string name() const override { return model_->name(); }
  std::string describe() const override { return model_->describe(); }
  MessageCost message(Rank from, Rank to, Bytes bytes) const override;
  Picoseconds local(Bytes bytes) const override { return model_->local(bytes); }
  Picoseconds longest_latency() const override { return model_->longest_latency(); }
  const Network* network() const override { return model_->network(); }

 private:
  const Model* model_;
  std::vector<std::optional<MeasuredGather>> clusters_;
  std::vector<std::size_t> cluster_;  // by rank
};

}  // namespace tombolo
