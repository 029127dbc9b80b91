#include <utility>

#include <tombolo/collectives/mpi/kept_plans.hpp>

namespace tombolo {

namespace {

constexpr std::size_t most_kept = 1024;

// Ranks must not decide differently about a call that they make together. Counts that not all of them have and who
// works in place are no part of it.
Request known_to_all(const Request& request) {
  Request common = request.with_in_place(false);
  if (request.knowledge == Knowledge::everywhere) return common;
  common.blocks = Blocks();
  if (sizes(request.operation) == Sizes::exchange) common.exchange = Exchange::equal(request.ranks, 0);
  return common;
}

}  // namespace

KeptPlans::KeptPlans(std::shared_ptr<Planner> planner, Rank rank)
    : planner_(std::move(planner)), rank_(rank), kept_(0, RequestHash{rank}), decisions_(0, RequestHash{rank}) {}

KeptPlans::Kept& KeptPlans::find(const Request& request) {
  const auto found = kept_.find(request);
  if (found != kept_.end()) return found->second;
  if (kept_.size() == most_kept) kept_.clear();  // a program that never repeats itself must not fill the memory
  return kept_.emplace(request, Kept{carrier(request), nullptr}).first->second;
}

const std::shared_ptr<const PreparedPlan>& KeptPlans::plan(const Request& request, Kept& kept) {
  if (!kept.plan) kept.plan = std::make_shared<const PreparedPlan>(planner_->plan(request), rank_);
  return kept.plan;
}

void KeptPlans::decide(const Request& request, Carrier carrier) {
  const Request common = known_to_all(request);
  decisions_[common] = carrier;
  for (auto& [like, kept] : kept_) {
    if (known_to_all(like) == common) kept.carrier = carrier;
  }
}

Carrier KeptPlans::carrier(const Request& request) const {
  if (!decisions_.empty()) {
    const auto found = decisions_.find(known_to_all(request));
    if (found != decisions_.end()) return found->second;
  }
  return planner_->carrier(request);
}

}  // namespace tombolo
