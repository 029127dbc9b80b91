#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <tombolo/collectives/races.hpp>
#include <tombolo/collectives/well_formed.hpp>

namespace tombolo {

namespace {

std::int64_t elements(std::span<const Piece> pieces) {
  return std::accumulate(pieces.begin(), pieces.end(), std::int64_t{0},
                         [](std::int64_t sum, const Piece& piece) { return sum + piece.count; });
}

/// One rank's schedule beside what it may touch.
class Checked {
 public:
  Checked(const Schedule& schedule, const Contract& contract, Rank rank, Rank ranks)
      : schedule_(schedule),
        rank_(rank),
        ranks_(ranks),
        sizes_{contract.input_size, contract.output_size, schedule.scratch(), ranks} {}

  std::optional<std::string> fault_of(StepId id) const {
    const Step& step = schedule_.step(id);
    if (auto fault = out_of_bounds(id, schedule_.from(step))) return fault;
    if (auto fault = out_of_bounds(id, schedule_.into(step))) return fault;
    const bool reads = step.kind != Step::Kind::receive;
    const bool writes = step.kind != Step::Kind::send;
    if (elements(schedule_.from(step)) != (reads ? step.count : 0) ||
        elements(schedule_.into(step)) != (writes ? step.count : 0)) {
      return fmt::format("{} has pieces of another size", describe(schedule_, rank_, id));
    }
    if (step.is_message() && (step.peer < 0 || step.peer >= ranks_ || step.peer == rank_)) {
      return fmt::format("{} has no such peer", describe(schedule_, rank_, id));
    }
    if (step.lane < 0 || step.lane >= static_cast<int>(schedule_.windows().size()) || schedule_.window(step) < 0) {
      return fmt::format("{} has no such lane", describe(schedule_, rank_, id));
    }
    const auto after = schedule_.after(step);
    if (std::any_of(after.begin(), after.end(), [id](StepId before) { return before < 0 || before >= id; })) {
      return fmt::format("{} waits for a step that is not before it", describe(schedule_, rank_, id));
    }
    return std::nullopt;
  }

 private:
  std::optional<std::string> out_of_bounds(StepId id, std::span<const Piece> pieces) const {
    for (const Piece& piece : pieces) {
      const auto kind = static_cast<std::size_t>(piece.buffer);
      if (piece.offset >= 0 && piece.count > 0 && piece.end() <= sizes_[kind]) continue;
      return fmt::format("{} touches {}[{}, {}) of {} elements", describe(schedule_, rank_, id), name(piece.buffer),
                         piece.offset, piece.end(), sizes_[kind]);
    }
    return std::nullopt;
  }

  const Schedule& schedule_;
  Rank rank_;
  Rank ranks_;
  std::int64_t sizes_[buffer_kinds];
};

}  // namespace

std::optional<std::string> find_malformed(const Schedule& schedule, const Contract& contract, Rank rank, Rank ranks) {
  if (schedule.scratch() > contract.scratch_limit) {
    return fmt::format("rank {} needs {} elements of scratch, more than the {} allowed", rank, schedule.scratch(),
                       contract.scratch_limit);
  }
  const Checked checked(schedule, contract, rank, ranks);
  for (StepId id = 0; id < schedule.size(); ++id) {
    if (auto fault = checked.fault_of(id)) return fault;
  }
  if (const auto race = find_race(schedule)) {
    return fmt::format("{} and step {} touch the same elements in no order", describe(schedule, rank, race->first),
                       race->second);
  }
  return std::nullopt;
}

}  // namespace tombolo
