#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/calibrate/contention.hpp>
#include <tombolo/collectives/calibrate/trusted_models.hpp>
#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/choose/size_class.hpp>
#include <tombolo/collectives/plan/plan_json.hpp>
#include <tombolo/collectives/predict/lower_bound.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/platform/description/members.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr std::size_t most_kept = 1024;
constexpr std::size_t most_parts = 64;

// Trees or groups were made for the platform; other plans are proved by the tests.
bool is_made(const Parameters& parameters) {
  return !parameters.trees.empty() || !parameters.groups.empty() || !parameters.detours.empty();
}

}  // namespace

/// Knowledge of all ranks of a platform; immutable.
struct Planner::Whole {
  Whole(Platform known, const std::string& model)
      : platform(std::move(known)),
        models(model.empty() ? TrustedModels(platform) : TrustedModels(platform, model)),
        thresholds(stored_thresholds(platform)),
        contention(stored_contention(platform)),
        relief(models.relief()),
        description(fmt::format("{}; a link in the middle: {}", models.describe(), hockney_of(platform).describe())) {}
  Platform platform;
  TrustedModels models;
  std::vector<Thresholds> thresholds;
  std::vector<ScopeContention> contention;
  Relief relief;
  std::string description;
};

/// The knowledge of a subset of the ranks, or of all.
struct Planner::Part {
  Part(std::shared_ptr<const Whole> of, std::vector<Rank> ranks)
      : whole(std::move(of)),
        members(std::move(ranks)),
        hierarchy(whole->platform, members),
        links(whole->platform, members) {
    // All ranks in order use the models as they are, which know their longest latency.
    if (members != all_in_order(whole->platform.ranks())) seen.emplace(whole->models, whole->platform, members);
    std::map<std::string_view, int> numbers;
    for (const Rank member : members) {
      const std::string& name = whole->platform.processors[static_cast<std::size_t>(member)].host;
      hosts.push_back(numbers.try_emplace(name, static_cast<int>(numbers.size())).first->second);
    }
    one_host = numbers.size() <= 1;
    if (one_host || numbers.size() == members.size()) hosts.clear();
    alltoall_contention.emplace(whole->platform, members, contention_of(whole->contention, models().scope()));
  }
  const TrustedModels& models() const { return seen ? *seen : whole->models; }

  std::shared_ptr<const Whole> whole;
  std::vector<Rank> members;
  Hierarchy hierarchy;
  ClusterLinks links;
  std::optional<TrustedModels> seen;
  std::optional<AlltoallContention> alltoall_contention;
  std::vector<int> hosts;  // as in PlatformKnowledge
  bool one_host = false;
};

Planner::Planner(std::shared_ptr<const Part> part) : part_(std::move(part)), owner_(part_) {
  const Whole& whole = *part_->whole;
  const TrustedModels& models = part_->models();
  model_for_ = models.chooser();
  knowledge_ = {.thresholds = thresholds_of(whole.thresholds, models.scope()),
                .hierarchy = &part_->hierarchy,
                .links = &part_->links,
                .alltoall_contention = &*part_->alltoall_contention,
                .detours = part_->links.has_detours(),
                .hosts = part_->hosts,
                .model_within = [&models](const Request& request, const std::vector<Rank>& ranks) -> const Model& {
                  return models.model_within(request, ranks);
                }};
  bound_ = [known = part_.get()](const Request& request) {
    return lower_bound(request, known->whole->platform, known->members, known->whole->relief);
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
    numbers_among(members, static_cast<int>(part_->members.size()));  // throws for an unknown or repeated member
    std::vector<Rank> outside;
    for (const Rank member : members) outside.push_back(part_->members[static_cast<std::size_t>(member)]);
    made = std::shared_ptr<Planner>(new Planner(std::make_shared<const Part>(part_->whole, std::move(outside))));
    if (avoids_detours_) made->avoid_detours();
  }
  made->by_class_ = by_class_;
  made->knowledge_.same_bits = knowledge_.same_bits;
  if (on_.size() == most_parts) on_.clear();
  return on_.emplace(members, std::move(made)).first->second;
}

void Planner::use(Tuning tuning) {
  tuning_ = std::move(tuning);
  kept_.clear();
  on_.clear();  // the copy for all ranks in order holds the tuning too
}

void Planner::use(std::shared_ptr<KeptPlans> plans) {
  plans_ = std::move(plans);
  kept_.clear();
  on_.clear();
}

void Planner::avoid_detours() {
  avoids_detours_ = true;
  knowledge_.detours = false;
  kept_.clear();
  on_.clear();
}

Backend Planner::backend(const Request& request) const {
  if (const Decision* const tuned = decision(request)) return tuned->backend;
  return part_ && part_->one_host ? Backend::native : Backend::plan;
}

Planner::Kept& Planner::kept(const Request& request) {
  const auto found = kept_.find(request);
  if (found != kept_.end()) return found->second;
  if (kept_.size() == most_kept) kept_.clear();  // bounds the memory of a program without repeated requests
  return kept_.emplace(request, Kept{.backend = backend(request)}).first->second;
}

Planner::Proof Planner::proof_of(const Plan& plan) {
  // Steps of all ranks, with buffer ranges beyond one on each side as further steps: some ms, a twentieth of the
  // choice.
  constexpr std::int64_t most_steps = 1 << 14;
  const Request& request = plan.request();
  const Parameters& parameters = plan.parameters();
  if (!is_made(parameters)) return Proof::not_needed;
  if (request.knowledge == Knowledge::as_in_mpi) return Proof::too_long;  // for counts of any size
  const bool cut = plan.algorithm().heeds(Parameter::segment_bytes) && parameters.segment_bytes > 0;
  // Before any rank writes them down.
  if (cut && request.count * request.element_bytes / parameters.segment_bytes > most_steps) return Proof::too_long;
  std::int64_t steps = 0;
  std::vector<Schedule> schedules;
  for (Rank rank = 0; rank < request.ranks; ++rank) {
    schedules.push_back(plan.direct(rank, request.seen_by(rank)));
    const auto pieces = static_cast<std::int64_t>(schedules.back().parts().pieces.size());
    steps += std::max<std::int64_t>(schedules.back().size(), pieces / 2);
    if (steps > most_steps) return Proof::too_long;
  }
  schedules = plan.with_detours(std::move(schedules));
  if (const auto proof = prove(request, schedules, forwarded_elements(plan)); !proof.holds()) {
    throw Error(fmt::format("the plan {} is wrong: {}", plan.describe(), *proof.fault),
                "report this, and use MPI's own collectives meanwhile");
  }
  return Proof::holds;
}

std::string Planner::describe_plan(const Request& request) {
  std::string how = plan(request).how();
  const Kept& decided = kept(request.known_to_all());
  if (decided.proof == Proof::holds) how += ", proved";
  if (decided.proof == Proof::too_long) how += ", too long to be proved";
  if (decided.origin == Origin::kept) how += ", kept by an earlier run";
  if (decided.origin == Origin::preferred) how += ", as earlier runs found the first choice slower than predicted";
  return how;
}

// Decides about a request that no tuning covers, and proves the plan.
Plan Planner::recall_or_choose(const Request& request, Kept& decided) {
  std::optional<KeptPlan> known = plans_ ? plans_->find(request) : std::nullopt;
  if (known && !serves(known->chosen.plan)) known.reset();
  if (known && !known->is_belied()) {
    decided.origin = Origin::kept;
    if (is_made(known->chosen.plan.parameters())) decided.proof = known->proved ? Proof::holds : Proof::too_long;
    return known->chosen.plan;
  }
  if (known) {
    const std::vector<Candidate> all = candidates(request);
    const Candidate* const better = known->better_of(all);
    if (better != nullptr) known->chosen = *better;
    decided.origin = better != nullptr ? Origin::preferred : Origin::kept;
  } else {
    known.emplace(KeptPlan{.chosen = choice(request)});
  }
  decided.proof = proof_of(known->chosen.plan);
  known->proved = decided.proof == Proof::holds;
  if (plans_) plans_->keep(*known);
  return known->chosen.plan;
}

// The request whose plan serves this one.
Request Planner::sharer(const Request& common) const {
  return by_class_ ? size_class(common) : common;
}

bool Planner::recalls(const Request& request) const {
  const Request like = sharer(request.known_to_all());
  return decision(like) != nullptr || (plans_ && plans_->was_read(like));
}

// Takes the plan of the request's size class. Returns false if there is none, or if it does not suit this size.
bool Planner::share(const Request& common, const std::vector<const Algorithm*>& algorithms) {
  const Request like = sharer(common);
  if (like == common) return false;
  const Plan of_class = plan(like);
  const auto at = std::ranges::find(algorithms, &of_class.algorithm());
  if (at == algorithms.end()) return false;
  const Kept from = kept(like);
  Kept& decided = kept(common);  // after the last change of the cache
  decided.algorithm = static_cast<std::size_t>(at - algorithms.begin());
  decided.parameters = from.parameters;
  decided.proof = from.proof;
  decided.origin = from.origin;
  return true;
}

// The cache holds an algorithm's index: ranks in one address space share caches, not the program's constants.
void Planner::set(Kept& decided, const Plan& plan) {
  const std::vector<const Algorithm*> algorithms = algorithms_for(plan.request());
  decided.algorithm = static_cast<std::size_t>(std::ranges::find(algorithms, &plan.algorithm()) - algorithms.begin());
  decided.parameters = plan.parameters();
}

std::string Planner::plan_text(const Plan& plan) {
  const Request common = plan.request().known_to_all();
  const Plan own = this->plan(common);
  const bool as_decided = &own.algorithm() == &plan.algorithm() && own.parameters() == plan.parameters();
  const Kept& decided = kept(common);
  Json json = {{"plan", Json::parse(to_json(plan))},
               {"proof", static_cast<int>(decided.proof)},
               {"origin", static_cast<int>(decided.origin)}};
  // With other parameters it is not kept for later runs.
  const auto known = plans_ && as_decided ? plans_->find(common) : std::nullopt;
  if (known) json["predicted_ps"] = known->chosen.predicted;
  return json.dump();
}

void Planner::use_plan_text(const std::vector<Request>& requests, const std::string& text) {
  const JsonDocument document = parse_json(text, "the plan of another rank", "report this");
  const JsonNode node(document);
  for (const Request& request : requests) {
    const Request common = request.known_to_all();
    const Plan plan = plan_from_json(common, node.member("plan"));
    if (kept(common).algorithm && this->plan(common) == plan) continue;
    kept(request).prepared.clear();  // by what this rank knows of it
    Kept& decided = kept(common);
    decided.prepared.clear();
    set(decided, plan);
    decided.proof = static_cast<Proof>(node.member("proof").small_integer());
    decided.origin = static_cast<Origin>(node.member("origin").small_integer());
    const auto predicted = node.find("predicted_ps");
    if (!plans_ || !predicted || decided.origin != Origin::chosen) continue;
    plans_->keep({.chosen = {plan, predicted->integer()}, .proved = decided.proof == Proof::holds});
  }
}

Plan Planner::plan(const Request& request) {
  const Request common = request.known_to_all();
  const std::vector<const Algorithm*> algorithms = algorithms_for(request);
  if (!kept(common).algorithm && !share(common, algorithms)) {
    Kept& decided = kept(common);
    const Decision* tuned = decision(common);
    if (tuned != nullptr && !serves(tuned->plan(common))) tuned = nullptr;
    const Plan chosen = tuned != nullptr ? tuned->plan(common) : recall_or_choose(common, decided);
    if (tuned != nullptr) decided.proof = proof_of(chosen);
    set(decided, chosen);
  }
  const Kept& decided = kept(common);
  return {request, *algorithms[*decided.algorithm], decided.parameters};
}

std::shared_ptr<const PreparedPlan> Planner::prepared(const Request& request, Rank rank, const Kept& found) {
  for (const Kept::Prepared& each : found.prepared) {
    if (each.rank == rank && each.in_place == request.in_place) return each.plan;
  }
  const auto made = std::make_shared<const PreparedPlan>(plan(request), rank);  // may empty the cache
  kept(request).prepared.push_back({rank, request.in_place, made});
  return made;
}

std::shared_ptr<const PreparedPlan> Planner::prepared(const Request& request, Rank rank) {
  return prepared(request, rank, kept(request));
}

std::shared_ptr<const PreparedPlan> Planner::blocking(const Request& request, Rank rank) {
  const Kept& found = kept(request);
  return found.backend == Backend::native ? nullptr : prepared(request, rank, found);
}

}  // namespace tombolo
