#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/collectives/plan/accesses.hpp>
#include <tombolo/collectives/plan/schedule.hpp>
#include <tombolo/collectives/prove/well_formed.hpp>

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
    std::sort(conflicts.begin(), conflicts.end());
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
    if (std::any_of(into.begin(), into.end(), [](const BufferRange& piece) { return piece.buffer == Buffer::input; })) {
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
    if (std::any_of(after.begin(), after.end(), [id](StepId before) { return before < 0 || before >= id; })) {
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

}  // namespace

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

}  // namespace tombolo
