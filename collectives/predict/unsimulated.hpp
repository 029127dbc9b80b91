#pragma once

#include <cstdint>
#include <optional>

#include <tombolo/collectives/predict/pipeline_time.hpp>

namespace tombolo {

/// The time of a plan without a simulation, where one would take too many messages and algorithm and mapping are of a
/// kind for which that is known; none for others. A simulation would have `messages` messages, of the whole plan or of
/// a part of it.
std::optional<Picoseconds> time_unsimulated(const Plan& plan, const Model& model, const Fidelity& look,
                                            std::int64_t messages, bool is_whole, SearchBudget& budget);

}  // namespace tombolo
