#pragma once

#include <optional>
#include <vector>

#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/collectives/choose/tuning.hpp>

namespace tombolo {

class Planner;

/// Returns the best predicted plan of each of the `most` fastest predicted algorithms, and of the first algorithm in
/// algorithms.def, which does not use the hierarchy: hierarchy can lose. Fastest first. Tries all settings of these
/// algorithms that are worth trying, which takes longer than a choice (choose.hpp).
std::vector<Candidate> contenders(const Request& request, const Planner& planner, int most);

/// Decides between contenders, sorted by prediction. Without measurements (`measured` is empty): among plans within 1 %
/// of the best prediction, the first algorithm in algorithms.def. With measurements: among plans within 2 % of the
/// fastest time, MPI's own (`native`) included, the best predicted one; MPI's own collective if no plan is within 2 %.
/// The decision for MPI's own collective also holds the best plan.
Decision decide(const std::vector<Candidate>& contenders, const std::vector<Picoseconds>& measured = {},
                std::optional<Picoseconds> native = {});

}  // namespace tombolo
