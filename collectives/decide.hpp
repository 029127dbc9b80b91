#pragma once

#include <optional>
#include <vector>

#include <tombolo/collectives/choose.hpp>
#include <tombolo/collectives/tuning.hpp>

namespace tombolo {

class Planner;

/// The best plan, by prediction, of each of the `most` algorithms that are predicted to be the fastest for a request,
/// and of the first in algorithms.def, which knows nothing of levels: hierarchy can lose. The fastest first. Of these
/// algorithms all settings are tried that are worth it, which takes longer than a choice (choose.hpp).
std::vector<Candidate> contenders(const Request& request, const Planner& planner, int most);

/// What is kept of contenders, the first of which is predicted to be the fastest. Where nothing was measured
/// (`measured` is empty), of those within 1 % of the best prediction the one whose algorithm stands first in
/// algorithms.def. Else the fastest, MPI's own among them; of the plans within 2 % of it the one that is predicted to
/// be, so that MPI's own collective is kept only where no plan comes that near. The plan that did best is kept with it.
Decision decide(const std::vector<Candidate>& contenders, const std::vector<Picoseconds>& measured = {},
                std::optional<Picoseconds> native = {});

}  // namespace tombolo
