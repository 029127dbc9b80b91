#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tombolo/models/model.hpp>

namespace tombolo {

/// A model restricted to a subset of its ranks, renumbered from 0: for plans on part of the ranks.
class OnRanks final : public Model {
 public:
  /// Rank r of this model is ranks[r] of `model`, which must outlive this.
  OnRanks(const Model& model, std::vector<Rank> ranks);

  std::string name() const override { return model_->name(); }
  std::string describe() const override { return model_->describe(); }
  MessageCost message(Rank from, Rank to, Bytes bytes) const override;
  Picoseconds local(Bytes bytes) const override { return model_->local(bytes); }
  Picoseconds longest_latency() const override { return longest_latency_; }
  const Network* network() const override { return network_.get(); }

 private:
  Rank outside(Rank rank) const { return ranks_[static_cast<std::size_t>(rank)]; }

  const Model* model_;
  std::vector<Rank> ranks_;
  std::unique_ptr<Network> network_;
  Picoseconds longest_latency_ = 0;
};

}  // namespace tombolo
