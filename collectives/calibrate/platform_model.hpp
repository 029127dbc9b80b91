#pragma once

#include <memory>
#include <string>

#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/platform.hpp>

namespace tombolo {

/// A model as plans are predicted by it.
struct PlatformModel {
  std::unique_ptr<Model> usual;
  std::unique_ptr<Model> linear_gather = {};  ///< of flat gathers, refers to `usual`; null: the usual one

  const Model& for_algorithm(const Algorithm& algorithm) const;
};

/// Makes a model by name from its estimate, over the links that clusters share, and the LMO models with the thresholds
/// that the platform has stored of its clusters: S, up to which a sender's messages pass in parallel (lmo.hpp), if
/// what was measured just above it is nearer to the sum of equation 8 than to its maximum, and
/// M_1, M_2 and kappa of linear gathers (linear_gather.hpp). Thresholds among ranks of several clusters are not part of
/// the models: what long links add is latency, not one message after the other. `platform` must outlive the model.
/// Throws Error as stored_model() does, and for invalid thresholds.
PlatformModel platform_model(const Platform& platform, const Estimates& estimates, const std::string& name);

}  // namespace tombolo
