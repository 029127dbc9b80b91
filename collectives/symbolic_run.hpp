#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tombolo/collectives/contract.hpp>
#include <tombolo/collectives/matching.hpp>
#include <tombolo/collectives/progress.hpp>
#include <tombolo/collectives/symbols.hpp>

namespace tombolo {

/// Runs well-formed schedules of all ranks on symbols in one process, from what the contracts say stands in the buffers
/// before to what they say must stand there after.
class SymbolicRun {
 public:
  /// Runs to the end or to the first fault. The spans must outlive the run.
  SymbolicRun(std::span<const Schedule> schedules, std::span<const Contract> contracts, bool commutative);

  const std::optional<std::string>& fault() const { return fault_; }
  const SymbolicMemory& memory(Rank rank) const { return memories_[static_cast<std::size_t>(rank)]; }

 private:
  void start();
  void hand_out(Rank rank);
  void carry_out(StepOf at);
  void complete(StepOf at);
  void hear(StepOf at, const RankSet* message);
  void check_done();
  void check_result(Rank rank);
  const Schedule& schedule(Rank rank) const { return schedules_[static_cast<std::size_t>(rank)]; }

  std::span<const Schedule> schedules_;
  std::span<const Contract> contracts_;
  bool commutative_;
  Matching matching_;
  std::vector<SymbolicMemory> memories_;
  std::vector<Progress> progress_;
  std::vector<std::vector<bool>> finished_;
  std::vector<StepOf> work_;  // started, not carried out yet
  // Of a synchronising operation: per rank and step, which ranks are known to have begun when the step is complete.
  std::vector<std::vector<RankSet>> heard_;
  std::optional<std::string> fault_;
};

}  // namespace tombolo
