#pragma once

#include <tombolo/collectives/predict.hpp>

namespace tombolo {

/// What one prediction may cost.
struct Look {
  Sharing sharing = Sharing::fair;
  std::int64_t segments = 16;       ///< that are simulated at least, where a vector has more
  std::int64_t messages = 1 << 12;  ///< that are simulated at most, but for two segments
};

/// The makespan that is predicted for a plan, of which a few segments are simulated where it has many: once a pipeline
/// is full, each further period takes as long as the one before. `never` for plans that would take more messages than
/// can be simulated while a call waits. Ranks must know all counts.
Picoseconds pipeline_time(const Plan& plan, const Model& model, const Look& look = {});

}  // namespace tombolo
