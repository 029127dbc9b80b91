#pragma once

#include <functional>
#include <span>
#include <vector>

#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// Selects the model that predicts an algorithm's plans for a request.
using ModelFor = std::function<const Model&(const Request&, const Algorithm&)>;

/// Start and end of a step, since the common start. A receive starts when its message begins to arrive, even if posted
/// much earlier.
struct StepTime {
  Picoseconds start = 0;
  Picoseconds end = 0;
};

/// Result of predict().
struct Prediction {
  std::vector<std::vector<StepTime>> steps;  ///< [rank][step] of the plan's schedules
  std::vector<Picoseconds> finish;           ///< completion time of each rank
  Picoseconds makespan = 0;
};

/// Sharing of a link's rate among concurrent flows.
enum class Sharing {
  fair,   ///< concurrent flows share as in TCP (Flows)
  queued  ///< one flow after the other: faster, less accurate (Queues)
};

/// Runs all ranks' steps as a discrete-event simulation under a model: a step starts when its predecessors are complete
/// and its channel and port are free; messages queue at the ports of sender and receiver in order of arrival. Ranks
/// begin at `start`, one time per rank (0 if empty). The stage that learns counts is included. If a step is incomplete
/// at `limit`, the simulation stops: the makespan is `never` and the rest of the result is meaningless.
Prediction predict(const Plan& plan, const Model& model, std::span<const Picoseconds> start = {},
                   Sharing sharing = Sharing::fair, Picoseconds limit = never);

/// Predicts schedules, one per rank, of elements of `element_bytes`. Throws std::logic_error for schedules that do not
/// match or never end: prove schedules first.
Prediction predict(std::span<const Schedule> schedules, Bytes element_bytes, const Model& model,
                   std::span<const Picoseconds> start = {}, Sharing sharing = Sharing::fair, Picoseconds limit = never);

/// The makespan alone, which takes less time.
Picoseconds makespan(const Plan& plan, const Model& model, Sharing sharing = Sharing::fair, Picoseconds limit = never);
Picoseconds makespan(std::span<const Schedule> schedules, Bytes element_bytes, const Model& model,
                     std::span<const Picoseconds> start = {}, Sharing sharing = Sharing::fair,
                     Picoseconds limit = never);

/// Length of the longest chain of dependent messages of a plan: its number of steps as counted in papers where a rank
/// may send to several others at a time. Includes the stage that learns counts.
int longest_chain(const Plan& plan);

}  // namespace tombolo
