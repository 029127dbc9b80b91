#pragma once

#include <memory>
#include <string>

#include <tombolo/models/model.hpp>
#include <tombolo/models/platform_network.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// A model of pairs of ranks on a platform whose clusters share uplinks and links: messages between clusters cost what
/// the model says, and also flow over what they share with others, each at most as fast as the model lets it alone.
/// Within clusters the model alone decides.
class OverSharedLinks final : public Model {
 public:
  /// Ends in `model` itself where the platform has no shared links.
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
