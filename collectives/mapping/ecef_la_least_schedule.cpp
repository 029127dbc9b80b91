#include <tombolo/collectives/mapping/onwards.hpp>

namespace tombolo {

namespace {

GroupTree tree(const GroupProblem& problem) {
  return reach_all_looking_ahead(
      problem, true, [&](int j, int k) { return plus(problem.message(j, k).whole(), problem.inside_of(k)); });
}

}  // namespace

/// ECEF-LAt (Steffenel and Mounié 2006): F_j is the least g_jk + L_jk + T_k.
const GroupSchedule ecef_la_least_schedule{.name = "ecef-LAt", .tree = tree};

}  // namespace tombolo
