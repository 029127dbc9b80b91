#pragma once

#include <memory>
#include <string>

#include <tombolo/models/model.hpp>
#include <tombolo/models/network/platform_network.hpp>
#include <tombolo/platform.hpp>

namespace tombolo {

/// A model of pairs of ranks on a platform whose clusters share uplinks and links. Messages between clusters have the
/// cost of the model and also flow over the shared links, each at most at the rate of the model. Within clusters the
/// model applies unchanged.
class OverSharedLinks final : public Model {
 public:
  /// Returns `model` itself if it has a network or the platform has no shared links.
  static std::unique_ptr<Model> wrap(const Platform& platform, std::unique_ptr<Model> model);

  OverSharedLinks(const Platform& platform, std::unique_ptr<Model> model);

  std::string name() const override { return model_->name(); }
  std::string describe() const override { return model_->describe(); }
  MessageCost message(Rank from, Rank to, Bytes bytes) const override;
  Picoseconds local(Bytes bytes) const override { return model_->local(bytes); }
  Picoseconds longest_latency() const override { return model_->longest_latency(); }
  const Network* network() const override { return &network_; }

 private:
  std::unique_ptr<Model> model_;
  PlatformNetwork network_;
};

}  // namespace tombolo
