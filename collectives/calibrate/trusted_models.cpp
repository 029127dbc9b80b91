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

TrustedModels::TrustedModels(const Platform& platform) : platform_(&platform), scope_(scope_of_all(platform)) {
  models_.push_back({std::make_unique<Hockney>(hockney_of(platform))});
  models_.push_back({std::make_unique<Multiport>(multiport_of(platform))});
  const Estimates estimates = stored_estimates(platform);
  for (const ModelKind* kind : all_models()) {
    const std::string name(kind->name);
    if (estimates.contains(name)) models_.push_back(platform_model(platform, estimates, name));
  }
  const auto poly = platform.sections.find(poly_section);
  if (poly != platform.sections.end()) {
    poly_ = poly_from_json(poly->second, fmt::format("the platform's section \"{}\"", poly_section));
  }
}

TrustedModels::TrustedModels(const Platform& platform, const std::string& name)
    : platform_(&platform), scope_(scope_of_all(platform)) {
  models_.push_back(platform_model(platform, stored_estimates(platform), name));
}

TrustedModels::TrustedModels(const TrustedModels& whole, const Platform& platform, const std::vector<Rank>& members)
    : platform_(&platform), members_(members), scope_(scope_among(platform, members)), poly_(whole.poly_) {
  for (const auto& [usual, linear_gather] : whole.models_) {
    PlatformModel& model = models_.emplace_back(PlatformModel{std::make_unique<OnRanks>(*usual, members)});
    if (linear_gather) model.linear_gather = std::make_unique<OnRanks>(*linear_gather, members);
  }
}

Relief TrustedModels::relief() const {
  const PlatformModel* const found = find("multiport");
  const auto* const model = found == nullptr ? nullptr : dynamic_cast<const Multiport*>(found->usual.get());
  if (model == nullptr) return {};
  Relief known{.together = model->parameters().ports.together,
               .synchronous_receive = model->parameters().synchronous_receive};
  const std::vector<const Level*> all = clusters(platform_->levels);
  for (std::size_t cluster = 0; cluster < all.size(); ++cluster) {
    constexpr std::size_t one_to_two = 3;  // hosts that it takes to measure this
    if (all[cluster]->children.size() < one_to_two) known.together[cluster] = Network::whole;
  }
  return known;
}

const PlatformModel* TrustedModels::find(const std::string& name) const {
  const auto found = std::find_if(models_.rbegin(), models_.rend(),
                                  [&name](const auto& model) { return model.usual->name() == name; });
  return found == models_.rend() ? nullptr : &*found;
}

const PlatformModel& TrustedModels::believed(const std::string& scope, const Request& request,
                                             std::string_view algorithm) const {
  const PolyModel::Range* range = poly_.find(scope, request.operation, algorithm, regular_bytes(request));
  const PlatformModel* found = range == nullptr ? nullptr : find(range->model);
  return found == nullptr ? models_.back() : *found;
}

const Model& TrustedModels::model_for(const Request& request, const Algorithm& algorithm) const {
  return believed(scope_, request, algorithm.name).for_algorithm(algorithm);
}

const Model& TrustedModels::model_within(const Request& request, const std::vector<Rank>& ranks) const {
  if (poly_.entries.empty()) return *models_.back().usual;
  std::vector<Rank> of_platform = ranks;
  for (Rank& rank : of_platform) {
    if (!members_.empty()) rank = members_[static_cast<std::size_t>(rank)];
  }
  return *believed(scope_among(*platform_, of_platform), request, "").usual;
}

ModelFor TrustedModels::chooser() const {
  return [this](const Request& request, const Algorithm& algorithm) -> const Model& {
    return model_for(request, algorithm);
  };
}

}  // namespace tombolo
