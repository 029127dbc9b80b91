#pragma once

#include <tombolo/collectives/predict.hpp>

namespace tombolo {

/// Messages that may be simulated for one choice among plans. A choice costs time, but all ranks must spend the same.
struct SearchBudget {
  std::int64_t left = std::int64_t{1} << 18;
  std::int64_t most = std::int64_t{1} << 16;  ///< of one prediction
};

/// What one prediction may cost.
struct Look {
  Sharing sharing = Sharing::fair;
  /// Whether what a further period takes is seen in the simulation, by that of half as many segments. Else it is what
  /// keeps the busiest processor, port or link busy, which is less where windows hold messages up.
  bool steady = true;
  std::int64_t segments = 16;       ///< that are simulated at least, where a vector has more
  std::int64_t messages = 1 << 12;  ///< that are simulated at most, but for two segments
  std::int64_t whole = 1 << 15;     ///< of a plan that is simulated whole where so few would not fill its windows
  Picoseconds limit = never;        ///< what takes longer is given up
};

/// The makespan that is predicted for a plan, of which a few segments are simulated where it has many: once a pipeline
/// is full, each further period takes as long as the one before. `never` for plans of more messages than a budget has
/// left, which is a fresh one where none is given, and for those that take longer than the limit. Ranks must know all
/// counts.
Picoseconds pipeline_time(const Plan& plan, const Model& model, const Look& look = {}, SearchBudget* budget = nullptr);

}  // namespace tombolo
