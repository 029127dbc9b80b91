#pragma once

#include <span>
#include <vector>

#include <tombolo/collectives/plan.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// When a step has begun and when it is complete, since the common start. A receive begins when its message begins to
/// come in, however long before it was posted.
struct StepTime {
  Picoseconds start = 0;
  Picoseconds end = 0;
};

/// What predict() says: per rank and step, and the whole.
struct Prediction {
  std::vector<std::vector<StepTime>> steps;  ///< [rank][step] of the plan's schedules
  std::vector<Picoseconds> finish;           ///< when each rank is done
  Picoseconds makespan = 0;
};

/// How flows that meet on a link are told apart in time.
enum class Sharing {
  fair,   ///< all at once, as TCP shares (models/flows.hpp)
  queued  ///< one after the other, for a quick look (models/queues.hpp)
};

/// Runs all ranks' steps as a discrete-event simulation under a model: a step starts when those before it are complete
/// and its lane and port are free, messages queue at the ports of sender and receiver in the order in which they come.
/// All ranks begin at `start`, one time per rank (at 0 where it is empty). Where ranks learn counts first, that stage
/// counts. What is not complete by `limit` is given up: then the makespan is `never`, and the rest says nothing.
Prediction predict(const Plan& plan, const Model& model, std::span<const Picoseconds> start = {},
                   Sharing sharing = Sharing::fair, Picoseconds limit = never);

/// The same for schedules that were written already, one per rank, of elements of that size.
/// Throws std::logic_error for schedules that do not match or never end: prove them first.
Prediction predict(std::span<const Schedule> schedules, Bytes element_bytes, const Model& model,
                   std::span<const Picoseconds> start = {}, Sharing sharing = Sharing::fair, Picoseconds limit = never);

}  // namespace tombolo
