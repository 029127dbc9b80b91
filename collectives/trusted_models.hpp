#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/choose.hpp>
#include <tombolo/collectives/poly_model.hpp>
#include <tombolo/models/hockney.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// The section of a platform file in which its poly-model stands.
constexpr const char* poly_section = "poly";

/// The models of a platform for plans on its ranks: for each plan the one that its poly-model believes. Where it
/// has none, or that believes in nothing that has been estimated, the most detailed model that has; where none has, the
/// multi-port model of what the platform knows of links and processors. Needs no ranks.
class TrustedModels {
 public:
  /// `platform` must outlive this. Throws Error for sections of the platform that are not right.
  explicit TrustedModels(const Platform& platform);
  /// The model of that name for every plan. Throws Error where it has not been estimated; "hockney" always has.
  TrustedModels(const Platform& platform, const std::string& name);

  /// Those of `whole` as some ranks of its platform see them (on_ranks.hpp), believed as among these (scope_among):
  /// rank r is members[r] of the platform. `whole` must outlive this.
  TrustedModels(const TrustedModels& whole, const Platform& platform, const std::vector<Rank>& members);

  /// The name of the scope whose beliefs are taken (scopes.hpp).
  const std::string& scope() const { return scope_; }
  const Model& model_for(const Request& request, const Algorithm& algorithm) const;
  /// One line, of the model that predicts where the poly-model does not say.
  std::string describe() const { return models_.back()->describe(); }
  /// The same, for candidates(). Not for longer than this.
  ModelFor chooser() const;

 private:
  void add(std::unique_ptr<Model> model) { models_.push_back(std::move(model)); }
  const Model* find(const std::string& name) const;

  std::string scope_;
  std::vector<std::unique_ptr<Model>> models_;  // the most detailed last
  PolyModel poly_;
};

}  // namespace tombolo
