#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/plan/matching.hpp>
#include <tombolo/collectives/plan/progress.hpp>

namespace tombolo {

/// Union of two sets; `overlapped` if they had a rank in common.
struct Union {
  RankSet ranks;
  bool overlapped = false;
};
Union unite(const RankSet& a, const RankSet& b);

/// Consecutive elements with consecutive symbols.
struct SymbolRun {
  std::int64_t count = 0;
  Symbol first;
};

/// Adds a run to the end of runs, as part of the last one if it continues it.
void append(std::vector<SymbolRun>& runs, SymbolRun run);

/// One rank's buffers in a proof: symbols instead of numbers, stored by intervals as long as can be, so a proof costs
/// the same for ten elements and for 2^40.
class SymbolicMemory {
 public:
  void write(const BufferRange& piece, const Symbol& first);
  /// Writes the runs one after the other to the buffer ranges.
  void write(std::span<const BufferRange> pieces, const std::vector<SymbolRun>& runs);
  /// Contents of the buffer ranges; elements never written are a run with an empty rank set.
  std::vector<SymbolRun> read(std::span<const BufferRange> pieces) const;

 private:
  struct Stretch {
    std::int64_t end = 0;
    Symbol first;
  };
  using Stretches = std::map<std::int64_t, Stretch>;
  static void cut(Stretches& stretches, std::int64_t at);
  static void join_before(Stretches& stretches, Stretches::iterator right);
  std::array<Stretches, buffer_kinds> buffers_;
};

/// left (op) right, element by element; both have the same length. `fault` describes an invalid sum (elements of
/// different indices, a rank counted twice, operands out of rank order for an operation that is not commutative, an
/// operand never written).
struct Combined {
  std::vector<SymbolRun> runs;
  const char* fault = nullptr;
};
Combined combine(const std::vector<SymbolRun>& left, const std::vector<SymbolRun>& right, bool commutative);

/// The first position at which two contents of the same length differ, or -1.
std::int64_t first_difference(const std::vector<SymbolRun>& a, const std::vector<SymbolRun>& b);

/// The symbol of the element `by` positions later.
Symbol advanced(const Symbol& symbol, std::int64_t by);

/// The contract of each rank. Made anew for each use: those of all ranks together grow with the square of the ranks.
using ContractOf = std::function<Contract(Rank)>;

/// Runs well-formed schedules of all ranks on symbols in one process, from the contracts' contents before to their
/// contents after.
class SymbolicRun {
 public:
  /// Runs to the end or to the first fault. The schedules must outlive the run.
  SymbolicRun(std::span<const Schedule> schedules, ContractOf contract, bool commutative);

  const std::optional<std::string>& fault() const { return fault_; }
  const SymbolicMemory& memory(Rank rank) const { return memories_[static_cast<std::size_t>(rank)]; }

 private:
  void start();
  Symbol in_memory(const Symbol& symbol) const;
  void hand_out(Rank rank);
  void carry_out(StepOf at);
  void complete(StepOf at);
  void hear(StepOf at, const RankSet* message);
  void check_done();
  void check_result(Rank rank);
  const Schedule& schedule(Rank rank) const { return schedules_[static_cast<std::size_t>(rank)]; }

  std::span<const Schedule> schedules_;
  ContractOf contract_;
  bool commutative_;
  // Where nothing is combined: by rank, the number of elements of the ranks before. Data of all ranks is then one long
  // vector, whose parts are one interval where they meet.
  std::vector<std::int64_t> first_element_;
  Matching matching_;
  std::vector<SymbolicMemory> memories_;
  std::vector<Progress> progress_;
  std::vector<std::vector<bool>> finished_;
  std::vector<StepOf> work_;  // started, not executed yet
  // For a synchronising operation: by rank and step, the ranks known to have begun once the step is complete.
  std::vector<std::vector<RankSet>> heard_;
  std::optional<std::string> fault_;
};

}  // namespace tombolo
