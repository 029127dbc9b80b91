#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/bound.hpp>
#include <tombolo/collectives/crowding.hpp>
#include <tombolo/collectives/planner.hpp>
#include <tombolo/collectives/stored_contention.hpp>
#include <tombolo/collectives/trusted_models.hpp>
#include <tombolo/models/platform_hockney.hpp>
#include <tombolo/platform/members.hpp>

namespace tombolo {

namespace {

constexpr std::size_t most_kept = 1024;
constexpr std::size_t most_parts = 64;

}  // namespace

/// What is known of all ranks of a platform; it never changes.
struct Planner::Whole {
  Whole(Platform known, const std::string& model)
      : platform(std::move(known)),
        models(model.empty() ? TrustedModels(platform) : TrustedModels(platform, model)),
        thresholds(stored_thresholds(platform)),
        contention(stored_contention(platform)),
        description(fmt::format("{}; a link in the middle: {}", models.describe(), hockney_of(platform).describe())) {}
  Platform platform;
  TrustedModels models;
  std::vector<Thresholds> thresholds;
  std::vector<ScopeContention> contention;
  std::string description;
};

/// The same as some of these ranks see it, or all.
struct Planner::Part {
  Part(std::shared_ptr<const Whole> of, std::vector<Rank> ranks)
      : whole(std::move(of)), members(std::move(ranks)), landscape(whole->platform, members) {
    // All ranks in order need not be told who they are, and know their longest latency.
    if (members != all_in_order(whole->platform.ranks())) seen.emplace(whole->models, whole->platform, members);
    const std::vector<Processor>& processors = whole->platform.processors;
    const auto host = [&](Rank member) -> const std::string& {
      return processors[static_cast<std::size_t>(member)].host;
    };
    one_host =
        std::all_of(members.begin(), members.end(), [&](Rank member) { return host(member) == host(members.front()); });
    crowding.emplace(whole->platform, members, contention_of(whole->contention, models().scope()));
  }
  const TrustedModels& models() const { return seen ? *seen : whole->models; }

  std::shared_ptr<const Whole> whole;
  std::vector<Rank> members;
  Landscape landscape;
  std::optional<TrustedModels> seen;
  std::optional<Crowding> crowding;
  bool one_host = false;
};

Planner::Planner(std::shared_ptr<const Part> part) : part_(std::move(part)), owner_(part_) {
  const Whole& whole = *part_->whole;
  const TrustedModels& models = part_->models();
  model_for_ = models.chooser();
  terrain_ = {.thresholds = thresholds_of(whole.thresholds, models.scope()),
              .landscape = &part_->landscape,
              .crowding = &*part_->crowding};
  bound_ = [known = part_.get()](const Request& request) {
    return lower_bound(request, known->whole->platform, known->members);
  };
  description_ = whole.description;
}

Planner::Planner(Platform platform, const std::string& model)
    : Planner([&] {
        const int ranks = platform.ranks();
        return std::make_shared<const Part>(std::make_shared<const Whole>(std::move(platform), model),
                                            all_in_order(ranks));
      }()) {}

Planner::Planner(Hockney model) {
  const auto owner = std::make_shared<const Hockney>(std::move(model));
  model_for_ = [only = owner.get()](const Request&, const Algorithm&) -> const Model& { return *only; };
  bound_ = [only = owner.get()](const Request& request) { return lower_bound(request, *only); };
  description_ = owner->describe();
  owner_ = owner;
}

std::shared_ptr<Planner> Planner::on(const std::vector<Rank>& members) {
  if (const auto kept = on_.find(members); kept != on_.end()) return kept->second;
  std::shared_ptr<Planner> made;
  if (part_ == nullptr || members == all_in_order(static_cast<int>(part_->members.size()))) {
    made = std::make_shared<Planner>(*this);
    made->on_.clear();
  } else {
    numbers_among(members, static_cast<int>(part_->members.size()));  // so they are members here
    std::vector<Rank> outside;
    for (const Rank member : members) outside.push_back(part_->members[static_cast<std::size_t>(member)]);
    made = std::shared_ptr<Planner>(new Planner(std::make_shared<const Part>(part_->whole, std::move(outside))));
  }
  if (on_.size() == most_parts) on_.clear();
  return on_.emplace(members, std::move(made)).first->second;
}

void Planner::use(Tuning tuning) {
  tuning_ = std::move(tuning);
  choices_.clear();
  on_.clear();  // all ranks in order are tuned too
}

Carrier Planner::carrier(const Request& request) const {
  if (const Decision* const tuned = decision(request)) return tuned->carrier;
  return part_ && part_->one_host ? Carrier::native : Carrier::plan;
}

Plan Planner::plan(const Request& request) {
  if (request.knowledge == Knowledge::as_in_mpi) return choice(request).plan;
  // Who works in place makes no difference to what is chosen.
  const Request common = request.with_in_place(false);
  auto found = choices_.find(common);
  // An algorithm is remembered by its number: of what ranks share, constants of the program are no part.
  const std::vector<const Algorithm*> algorithms = algorithms_for(request);
  if (found == choices_.end()) {
    if (choices_.size() == most_kept) choices_.clear();  // a program that never repeats itself must not fill the memory
    const Decision* const tuned = decision(common);
    const Plan chosen = tuned != nullptr ? tuned->plan(common) : choice(common).plan;
    const auto at = std::find(algorithms.begin(), algorithms.end(), &chosen.algorithm());
    const auto number = static_cast<std::size_t>(at - algorithms.begin());
    found = choices_.emplace(common, Choice{number, chosen.parameters()}).first;
  }
  return {request, *algorithms[found->second.algorithm], found->second.parameters};
}

}  // namespace tombolo
