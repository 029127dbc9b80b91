#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/plan/accesses.hpp>
#include <tombolo/collectives/plan/detoured.hpp>
#include <tombolo/collectives/plan/matching.hpp>
#include <tombolo/collectives/plan/schedule.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/collectives/prove/symbolic_run.hpp>

namespace tombolo {

namespace {

// Reachability in the step order: follows() is true if `later` waits, directly or not, for `earlier`. Steps wait for
// earlier steps only, so the search never visits steps before `earlier`; most queries end at a direct predecessor.
class Order {
 public:
  explicit Order(const Schedule& schedule) : schedule_(schedule), seen_(schedule.steps().size(), 0) {}

  bool follows(StepId later, StepId earlier) {
    ++mark_;
    stack_.assign(1, later);
    while (!stack_.empty()) {
      const StepId at = stack_.back();
      stack_.pop_back();
      for (const StepId before : schedule_.after(schedule_.step(at))) {
        if (before == earlier) return true;
        if (before < earlier || seen_[static_cast<std::size_t>(before)] == mark_) continue;
        seen_[static_cast<std::size_t>(before)] = mark_;
        stack_.push_back(before);
      }
    }
    return false;
  }

 private:
  const Schedule& schedule_;
  std::vector<int> seen_;
  std::vector<StepId> stack_;
  int mark_ = 0;
};

// Returns two unordered steps that access the same elements, at least one writing; empty if there are none.
std::optional<std::pair<StepId, StepId>> find_data_race(const Schedule& schedule) {
  Accesses accesses;
  Order order(schedule);
  std::vector<StepId> conflicts;
  for (StepId id = 0; id < schedule.size(); ++id) {
    const Step& step = schedule.step(id);
    conflicts.clear();
    for (const BufferRange& piece : schedule.from(step)) accesses.read(piece, id, conflicts);
    for (const BufferRange& piece : schedule.into(step)) accesses.write(piece, id, conflicts);
    std::ranges::sort(conflicts);
    conflicts.erase(std::unique(conflicts.begin(), conflicts.end()), conflicts.end());
    for (const StepId earlier : conflicts) {
      if (earlier == id) {
        // Ranges of one step overlap, among its writes or between writes and reads: a race of the step with itself.
        return std::pair{id, id};
      }
      if (!order.follows(id, earlier)) return std::pair{earlier, id};
    }
  }
  return std::nullopt;
}

// Checks single steps of one rank's schedule against its contract.
class Checked {
 public:
  Checked(const Schedule& schedule, const Contract& contract, Rank rank, Rank ranks)
      : schedule_(schedule),
        rank_(rank),
        ranks_(ranks),
        reduces_(contract.reduces),
        sizes_{contract.input_size, contract.output_size, schedule.scratch(), contract.counts_size} {}

  std::optional<std::string> fault_of(StepId id) const {
    const Step& step = schedule_.step(id);
    if (auto fault = out_of_bounds(id, schedule_.from(step))) return fault;
    if (auto fault = out_of_bounds(id, schedule_.into(step))) return fault;
    const auto into = schedule_.into(step);
    if (std::ranges::any_of(into, [](const BufferRange& piece) { return piece.buffer == Buffer::input; })) {
      return fmt::format("{} writes to the input", describe(schedule_, rank_, id));
    }
    if (step.kind == Step::Kind::reduce && !reduces_) {
      return fmt::format("{} has no operation to apply", describe(schedule_, rank_, id));
    }
    const bool reads = step.kind != Step::Kind::receive;
    const bool writes = step.kind != Step::Kind::send;
    if (elements(schedule_.from(step)) != (reads ? step.count : 0) ||
        elements(schedule_.into(step)) != (writes ? step.count : 0)) {
      return fmt::format("{} has pieces of another size", describe(schedule_, rank_, id));
    }
    if (step.is_message() && (step.peer < 0 || step.peer >= ranks_ || step.peer == rank_)) {
      return fmt::format("{} has no such peer", describe(schedule_, rank_, id));
    }
    if (step.channel < 0 || step.channel >= static_cast<int>(schedule_.windows().size()) ||
        schedule_.window(step) < 0) {
      return fmt::format("{} has no such lane", describe(schedule_, rank_, id));
    }
    const auto after = schedule_.after(step);
    if (std::ranges::any_of(after, [id](StepId before) { return before < 0 || before >= id; })) {
      return fmt::format("{} waits for a step that is not before it", describe(schedule_, rank_, id));
    }
    return std::nullopt;
  }

 private:
  std::optional<std::string> out_of_bounds(StepId id, std::span<const BufferRange> pieces) const {
    for (const BufferRange& piece : pieces) {
      const auto kind = static_cast<std::size_t>(piece.buffer);
      const std::int64_t size = sizes_[kind];
      if (piece.offset >= 0 && piece.count > 0 && piece.count <= size && piece.offset <= size - piece.count) continue;
      return fmt::format("{} touches {} elements from {}[{}] of {}", describe(schedule_, rank_, id), piece.count,
                         name(piece.buffer), piece.offset, size);
    }
    return std::nullopt;
  }

  const Schedule& schedule_;
  Rank rank_;
  Rank ranks_;
  bool reduces_;
  std::int64_t sizes_[buffer_kinds];
};

// Checks one rank's schedule by itself: buffer ranges outside their buffers or of another size than the step, invalid
// peers, channels or predecessors, writes to the input, reductions without an operation, too much scratch, data races
// between two steps. Returns the first fault in words; empty if there is none.
std::optional<std::string> find_malformed(const Schedule& schedule, const Contract& contract, Rank rank, Rank ranks) {
  if (schedule.scratch() > contract.scratch_limit) {
    return fmt::format("rank {} needs {} elements of scratch, more than the {} allowed", rank, schedule.scratch(),
                       contract.scratch_limit);
  }
  if (schedule.windows().empty() || schedule.windows().front() != 0) {
    return fmt::format("lane 0 of rank {} has a window, but is the one without", rank);
  }
  const Checked checked(schedule, contract, rank, ranks);
  for (StepId id = 0; id < schedule.size(); ++id) {
    if (auto fault = checked.fault_of(id)) return fault;
  }
  if (const auto race = find_data_race(schedule)) {
    return fmt::format("{} and step {} touch the same elements in no order", describe(schedule, rank, race->first),
                       race->second);
  }
  return std::nullopt;
}

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

std::optional<std::string> first_malformed(std::span<const Schedule> schedules, const ContractOf& promised) {
  const auto ranks = static_cast<Rank>(schedules.size());
  for (Rank rank = 0; rank < ranks; ++rank) {
    if (auto fault = find_malformed(schedules[static_cast<std::size_t>(rank)], promised(rank), rank, ranks))
      return fault;
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
  const auto promised = [&request](Rank rank) { return learning_contract(request, rank); };
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

std::int64_t forwarded_elements(const Plan& plan) {
  return plan.parameters().detours.empty() ? 0 : most_forwarded_elements(plan.request().element_bytes);
}

Proof prove(const Request& request, std::span<const Schedule> schedules, std::int64_t staged) {
  Proof proof;
  if (static_cast<int>(schedules.size()) != request.ranks) {
    proof.fault = fmt::format("{} schedules for {} ranks", schedules.size(), request.ranks);
    return proof;
  }
  add_costs(schedules, proof);
  const auto promised = [&request, staged](Rank rank) {
    Contract own = contract(request, rank);
    own.scratch_limit = plus(own.scratch_limit, staged);
    return own;
  };
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
  auto direct =
      write_all(request, learning, [&](Rank rank) { return plan.direct(rank, known[static_cast<std::size_t>(rank)]); });
  if (!learning.holds()) return learning;
  Proof whole = prove(request, plan.with_detours(std::move(direct)), forwarded_elements(plan));
  whole.steps += learning.steps;
  whole.messages += learning.messages;
  return whole;
}

}  // namespace tombolo
