#include <algorithm>

#include <fmt/format.h>

#include <tombolo/collectives/prove.hpp>
#include <tombolo/collectives/symbolic_run.hpp>
#include <tombolo/collectives/well_formed.hpp>

namespace tombolo {

namespace {

void add_costs(std::span<const Schedule> schedules, Proof& proof) {
  for (const Schedule& schedule : schedules) {
    proof.steps += schedule.size();
    proof.largest_scratch = std::max(proof.largest_scratch, schedule.scratch());
    for (const Step& step : schedule.steps()) {
      if (step.kind != Step::Kind::send) continue;
      ++proof.messages;
      proof.elements_moved += step.count;
    }
  }
}

std::vector<Contract> contracts(const Request& request, Contract (*of)(const Request&, Rank)) {
  std::vector<Contract> all;
  for (Rank rank = 0; rank < request.ranks; ++rank) all.push_back(of(request, rank));
  return all;
}

std::optional<std::string> first_malformed(std::span<const Schedule> schedules, std::span<const Contract> promised) {
  const auto ranks = static_cast<Rank>(schedules.size());
  for (Rank rank = 0; rank < ranks; ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    if (auto fault = find_malformed(schedules[r], promised[r], rank, ranks)) return fault;
  }
  return std::nullopt;
}

// Proves the learning stage and replaces what every rank knows by what it knows then.
Proof learn(const Plan& plan, std::vector<Request>& known) {
  const Request& request = plan.request();
  Proof proof;
  std::vector<Schedule> schedules;
  for (Rank rank = 0; rank < request.ranks; ++rank) schedules.push_back(plan.learning(rank));
  add_costs(schedules, proof);
  const std::vector<Contract> promised = contracts(request, learning_contract);
  proof.fault = first_malformed(schedules, promised);
  if (!proof.holds()) return proof;
  const SymbolicRun run(schedules, promised, true);
  proof.fault = run.fault();
  for (Rank rank = 0; rank < request.ranks && proof.holds(); ++rank) {
    std::vector<bool> flags;
    for (Rank of = 0; of < request.ranks; ++of) {
      const Piece entry{Buffer::counts, of, 1};
      flags.push_back(run.memory(rank).read({&entry, 1}).front().first == Symbol{of, {{of, of}}});
    }
    known[static_cast<std::size_t>(rank)] = request.with_known(flags);
  }
  return proof;
}

}  // namespace

Proof prove(const Request& request, std::span<const Schedule> schedules) {
  Proof proof;
  add_costs(schedules, proof);
  const std::vector<Contract> promised = contracts(request, contract);
  proof.fault = first_malformed(schedules, promised);
  if (!proof.fault) proof.fault = SymbolicRun(schedules, promised, request.commutative).fault();
  return proof;
}

Proof prove(const Plan& plan) {
  const Request& request = plan.request();
  Proof whole;
  std::vector<Request> known;
  for (Rank rank = 0; rank < request.ranks; ++rank) known.push_back(request.seen_by(rank));
  if (plan.learns()) {
    whole = learn(plan, known);
    if (!whole.holds()) return whole;
  }
  std::vector<Schedule> schedules;
  for (Rank rank = 0; rank < request.ranks; ++rank) {
    try {
      schedules.push_back(plan.schedule(rank, known[static_cast<std::size_t>(rank)]));
    } catch (const UnknownCount& unknown) {
      whole.fault = fmt::format("on rank {}, {}", rank, unknown.what());
      return whole;
    }
  }
  const Proof main = prove(request, schedules);
  whole.fault = main.fault;
  whole.steps += main.steps;
  whole.messages += main.messages;
  whole.elements_moved = main.elements_moved;
  whole.largest_scratch = main.largest_scratch;
  return whole;
}

}  // namespace tombolo
