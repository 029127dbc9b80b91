#include <algorithm>

#include <fmt/format.h>

#include <tombolo/collectives/calibrate/scopes.hpp>
#include <tombolo/collectives/calibrate/trusted_models.hpp>
#include <tombolo/collectives/request/regular.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/models/kinds/multiport/multiport.hpp>

namespace tombolo {

namespace {

std::string scope_of_all(const Platform& platform) {
  const std::vector<Scope> scopes = scopes_of(platform);
  return scopes.empty() ? all_ranks : scopes.back().name;
}

}  // namespace

TrustedModels::TrustedModels(const Platform& platform) : scope_(scope_of_all(platform)) {
  add(std::make_unique<Hockney>(hockney_of(platform)));
  add(std::make_unique<Multiport>(multiport_of(platform)));
  const Estimates estimates = stored_estimates(platform);
  for (const ModelKind* kind : all_models()) {
    if (estimates.contains(std::string(kind->name))) add(stored_model(platform, estimates, std::string(kind->name)));
  }
  const auto poly = platform.sections.find(poly_section);
  if (poly != platform.sections.end()) {
    poly_ = poly_from_json(poly->second, fmt::format("the platform's section \"{}\"", poly_section));
  }
}

TrustedModels::TrustedModels(const Platform& platform, const std::string& name) : scope_(scope_of_all(platform)) {
  add(stored_model(platform, stored_estimates(platform), name));
}

TrustedModels::TrustedModels(const TrustedModels& whole, const Platform& platform, const std::vector<Rank>& members)
    : scope_(scope_among(platform, members)), poly_(whole.poly_) {
  for (const auto& model : whole.models_) add(std::make_unique<OnRanks>(*model, members));
}

const Model* TrustedModels::find(const std::string& name) const {
  const auto found =
      std::find_if(models_.rbegin(), models_.rend(), [&name](const auto& model) { return model->name() == name; });
  return found == models_.rend() ? nullptr : found->get();
}

const Model& TrustedModels::model_for(const Request& request, const Algorithm& algorithm) const {
  const PolyModel::Range* range = poly_.find(scope_, request.operation, algorithm.name, regular_bytes(request));
  const Model* believed = range == nullptr ? nullptr : find(range->model);
  return believed == nullptr ? *models_.back() : *believed;
}

ModelFor TrustedModels::chooser() const {
  return [this](const Request& request, const Algorithm& algorithm) -> const Model& {
    return model_for(request, algorithm);
  };
}

}  // namespace tombolo
