#include <tombolo/collectives/mapping/onwards.hpp>

namespace tombolo {

namespace {

GroupTree tree(const GroupProblem& problem) {
  return reach_all_looking_ahead(
      problem, false, [&](int j, int k) { return plus(problem.message(j, k).whole(), problem.inside_of(k)); });
}

}  // namespace

/// ECEF-LAT (Steffenel and Mounié 2006): F_j is the largest g_jk + L_jk + T_k.
const GroupSchedule ecef_la_largest_schedule{.name = "ecef-LAT", .tree = tree};

}  // namespace tombolo
