#include <tombolo/collectives/mapping/onwards.hpp>

namespace tombolo {

namespace {

GroupTree tree(const GroupProblem& problem) {
  return reach_all_looking_ahead(problem, true, [&](int j, int k) { return problem.message(j, k).whole(); });
}

}  // namespace

/// ECEF with lookahead (Bhat, Raghavendra and Prasanna 1998): F_j is the least g_jk + L_jk, so that who is near others
/// comes first.
const GroupSchedule ecef_la_schedule{.name = "ecef-la", .tree = tree};

}  // namespace tombolo
