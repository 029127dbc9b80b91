#include <tombolo/collectives/mapping/reached_groups.hpp>

namespace tombolo {

namespace {

GroupTree tree(const GroupProblem& problem) {
  return reach_all(problem, [](const ReachedGroups& reached, int from, int to) { return reached.arrival(from, to); });
}

}  // namespace

/// Early completion edge first (Bhat, Raghavendra and Prasanna 1998): least RT_i + g_ij + L_ij.
const GroupSchedule ecef_schedule{.name = "ecef", .tree = tree};

}  // namespace tombolo
