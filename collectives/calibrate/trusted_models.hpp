#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/collectives/calibrate/platform_model.hpp>
#include <tombolo/collectives/calibrate/poly_model.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/predict/lower_bound.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/platform.hpp>

namespace tombolo {

/// The section of a platform file with the poly-model.
constexpr const char* poly_section = "poly";

/// The models of a platform for plans on its ranks: for each plan the one trusted by the poly-model. Without a
/// poly-model, or if its model has no estimate, the most detailed estimated model; without any, the multi-port model of
/// the platform's links and processors. Local.
class TrustedModels {
 public:
  /// `platform` must outlive the object. Throws Error for invalid sections of the platform.
  explicit TrustedModels(const Platform& platform);
  /// Uses the named model for every plan. Throws Error if it has no estimate.
  TrustedModels(const Platform& platform, const std::string& name);

  /// The models of `whole` for a subset of the ranks (OnRanks), with the trust of their scope (scope_among()):
  /// rank r is members[r] of the platform. `whole` must outlive the object.
  TrustedModels(const TrustedModels& whole, const Platform& platform, const std::vector<Rank>& members);

  /// The name of the scope of the trust (scopes.hpp).
  const std::string& scope() const { return scope_; }
  const Model& model_for(const Request& request, const Algorithm& algorithm) const;
  /// Returns the model trusted for the request among these ranks of one group, by the trust of their scope; for all
  /// algorithms of the operation together, as the shape inside the group is still to be chosen.
  const Model& model_within(const Request& request, const std::vector<Rank>& ranks) const;
  /// Describes the default model, in one line.
  std::string describe() const { return models_.back().usual->describe(); }
  /// Returns what messages may cost less than the platform says; concurrent messages no more than one where that is a
  /// guess, and none if no model tells. Not for a subset of the ranks.
  Relief relief() const;
  /// Returns model_for() as a function, for candidates(). The object must outlive it.
  ModelFor chooser() const;

 private:
  const PlatformModel* find(const std::string& name) const;
  const PlatformModel& believed(const std::string& scope, const Request& request, std::string_view algorithm) const;

  const Platform* platform_;
  std::vector<Rank> members_;  // empty: all ranks in order
  std::string scope_;
  std::vector<PlatformModel> models_;  // the most detailed last
  PolyModel poly_;
};

}  // namespace tombolo
