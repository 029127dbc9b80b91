#include <algorithm>

#include <fmt/format.h>

#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/collectives/prove/symbolic_run.hpp>
#include <tombolo/collectives/prove/well_formed.hpp>

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

// Writes the schedules of all ranks, each from the counts known to its rank; a fault if an unknown count is used.
template <class Write>
std::vector<Schedule> write_all(const Request& request, Proof& proof, Write write) {
  std::vector<Schedule> schedules;
  for (Rank rank = 0; rank < request.ranks; ++rank) {
    try {
      schedules.push_back(write(rank));
    } catch (const UnknownCount& unknown) {
      proof.fault = fmt::format("on rank {}, {}", rank, unknown.what());
      break;
    }
  }
  return schedules;
}

// Returns the counts that the rank holds after learning: entries with the symbol of their own rank. A fault if an entry
// holds any other value, which the rank would take for a count.
std::vector<bool> learned(const SymbolicMemory& memory, Rank rank, Rank ranks, Proof& proof) {
  std::vector<bool> flags;
  for (Rank of = 0; of < ranks; ++of) {
    const BufferRange entry{Buffer::counts, of, 1};
    const Symbol found = memory.read({&entry, 1}).front().first;
    const bool right = found == Symbol{of, {{of, of}}};
    if (!right && !found.ranks.empty()) proof.fault = fmt::format("rank {} learns a wrong count of rank {}", rank, of);
    flags.push_back(right);
  }
  return flags;
}

// Proves the learning stage and adds the learned counts to `known`.
Proof learn(const Plan& plan, std::vector<Request>& known) {
  const Request& request = plan.request();
  Proof proof;
  const auto schedules = write_all(request, proof, [&](Rank rank) { return plan.learning(rank); });
  if (!proof.holds()) return proof;
  add_costs(schedules, proof);
  const std::vector<Contract> promised = contracts(request, learning_contract);
  proof.fault = first_malformed(schedules, promised);
  if (!proof.holds()) return proof;
  const SymbolicRun run(schedules, promised, true);
  proof.fault = run.fault();
  for (Rank rank = 0; rank < request.ranks && proof.holds(); ++rank) {
    Request& mine = known[static_cast<std::size_t>(rank)];
    mine = mine.with_known(learned(run.memory(rank), rank, request.ranks, proof), request.blocks);
  }
  return proof;
}

}  // namespace

Proof prove(const Request& request, std::span<const Schedule> schedules) {
  Proof proof;
  if (static_cast<int>(schedules.size()) != request.ranks) {
    proof.fault = fmt::format("{} schedules for {} ranks", schedules.size(), request.ranks);
    return proof;
  }
  add_costs(schedules, proof);
  const std::vector<Contract> promised = contracts(request, contract);
  proof.fault = first_malformed(schedules, promised);
  if (!proof.fault) proof.fault = SymbolicRun(schedules, promised, request.commutative).fault();
  return proof;
}

Proof prove(const Plan& plan) {
  const Request& request = plan.request();
  Proof learning;
  std::vector<Request> known;
  for (Rank rank = 0; rank < request.ranks; ++rank) known.push_back(request.seen_by(rank));
  if (plan.learns()) learning = learn(plan, known);
  if (!learning.holds()) return learning;
  const auto schedules = write_all(
      request, learning, [&](Rank rank) { return plan.schedule(rank, known[static_cast<std::size_t>(rank)]); });
  if (!learning.holds()) return learning;
  Proof whole = prove(request, schedules);
  whole.steps += learning.steps;
  whole.messages += learning.messages;
  return whole;
}

}  // namespace tombolo
