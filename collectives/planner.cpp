#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/bound.hpp>
#include <tombolo/collectives/planner.hpp>
#include <tombolo/collectives/trusted_models.hpp>
#include <tombolo/models/platform_hockney.hpp>

namespace tombolo {

namespace {

constexpr std::size_t most_kept = 1024;

struct OfPlatform {
  OfPlatform(Platform known, const std::string& model)
      : platform(std::move(known)),
        models(model.empty() ? TrustedModels(platform) : TrustedModels(platform, model)),
        landscape(platform),
        thresholds(stored_thresholds(platform)) {}
  Platform platform;
  TrustedModels models;
  Landscape landscape;
  std::vector<Thresholds> thresholds;
};

}  // namespace

Planner::Planner(Platform platform, const std::string& model) {
  const auto owner = std::make_shared<const OfPlatform>(std::move(platform), model);
  model_for_ = owner->models.chooser();
  terrain_ = {.thresholds = thresholds_of_all(owner->thresholds, owner->platform), .landscape = &owner->landscape};
  bound_ = [known = &owner->platform](const Request& request) { return lower_bound(request, *known); };
  description_ =
      fmt::format("{}; a link in the middle: {}", owner->models.describe(), hockney_of(owner->platform).describe());
  owner_ = owner;
}

Planner::Planner(Hockney model) {
  const auto owner = std::make_shared<const Hockney>(std::move(model));
  model_for_ = [only = owner.get()](const Request&, const Algorithm&) -> const Model& { return *only; };
  bound_ = [only = owner.get()](const Request& request) { return lower_bound(request, *only); };
  description_ = owner->describe();
  owner_ = owner;
}

void Planner::use(Tuning tuning) {
  tuning_ = std::move(tuning);
  choices_.clear();
}

Plan Planner::plan(const Request& request) {
  if (request.knowledge == Knowledge::as_in_mpi) return candidates(request).front().plan;
  // Who works in place makes no difference to what is chosen.
  const Request common = request.with_in_place(false);
  auto found = choices_.find(common);
  // An algorithm is remembered by its number: of what ranks share, constants of the program are no part.
  const std::vector<const Algorithm*> algorithms = algorithms_for(request);
  if (found == choices_.end()) {
    if (choices_.size() == most_kept) choices_.clear();  // a program that never repeats itself must not fill the memory
    const Decision* const tuned = decision(common);
    const Plan chosen = tuned != nullptr ? tuned->plan(common) : candidates(common).front().plan;
    const auto at = std::find(algorithms.begin(), algorithms.end(), &chosen.algorithm());
    const auto number = static_cast<std::size_t>(at - algorithms.begin());
    found = choices_.emplace(common, Choice{number, chosen.parameters()}).first;
  }
  return {request, *algorithms[found->second.algorithm], found->second.parameters};
}

}  // namespace tombolo
