#include <utility>

#include <tombolo/collectives/choose.hpp>
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

KeptPlans::KeptPlans(Hockney model, Rank rank)
    : model_(std::move(model)), rank_(rank), kept_(0, Hash{rank}), decisions_(0, Hash{rank}) {}

std::size_t KeptPlans::Hash::operator()(const Request& request) const {
  std::size_t hash = 0;
  const auto mix = [&hash](std::int64_t value) {
    hash ^= static_cast<std::size_t>(value) + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2);
  };
  mix(static_cast<std::int64_t>(request.operation));
  mix(request.root);
  mix(request.count);
  mix(request.element_bytes);
  mix(request.in_place);
  // A few counts tell most requests apart; hashing all would cost more than it saves.
  const auto mix_some = [&mix](const Blocks& blocks) {
    mix(blocks.size());
    for (const int block : {0, blocks.size() / 2, blocks.size() - 1}) {
      if (block >= 0 && block < blocks.size() && blocks.known(block)) mix(blocks.count(block));
    }
  };
  if (sizes(request.operation) == Sizes::blocks) mix_some(request.blocks);
  if (sizes(request.operation) == Sizes::exchange && request.exchange.knows(rank)) {
    mix_some(request.exchange.sends(rank));
    mix_some(request.exchange.receives(rank));
  }
  return hash;
}

KeptPlans::Kept& KeptPlans::find(const Request& request) {
  const auto found = kept_.find(request);
  if (found != kept_.end()) return found->second;
  if (kept_.size() == most_kept) kept_.clear();  // a program that never repeats itself must not fill the memory
  return kept_.emplace(request, Kept{carrier(request), nullptr}).first->second;
}

const std::shared_ptr<const PreparedPlan>& KeptPlans::plan(const Request& request, Kept& kept) {
  if (!kept.plan) kept.plan = std::make_shared<const PreparedPlan>(choose(request, model_), rank_);
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
  if (decisions_.empty()) return Carrier::plan;
  const auto found = decisions_.find(known_to_all(request));
  return found == decisions_.end() ? Carrier::plan : found->second;
}

}  // namespace tombolo
