#include <tombolo/collectives/mapping/reached_groups.hpp>

namespace tombolo {

namespace {

GroupTree tree(const GroupProblem& problem) {
  return reach_all(problem, [&](const ReachedGroups&, int from, int to) { return problem.message(from, to).latency; });
}

}  // namespace

/// First edge first (Bhat, Raghavendra and Prasanna 1998; Steffenel and Mounié 2006): least L_ij, whenever the sender
/// may be free.
const GroupSchedule fef_schedule{.name = "fef", .tree = tree};

}  // namespace tombolo
