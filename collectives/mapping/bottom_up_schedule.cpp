#include <tombolo/collectives/mapping/reached_groups.hpp>

namespace tombolo {

namespace {

GroupTree tree(const GroupProblem& problem) {
  ReachedGroups reached(problem);
  for (int more = problem.groups - 1; more > 0; --more) {
    std::pair<int, int> latest{-1, -1};
    Picoseconds finish = -1;
    for (int to = 0; to < problem.groups; ++to) {
      if (reached.has(to)) continue;
      const int from = reached.earliest_sender(to);
      const Picoseconds best = plus(reached.arrival(from, to), problem.inside_of(to));
      if (best <= finish) continue;
      finish = best;
      latest = {from, to};
    }
    reached.send(latest.first, latest.second);
  }
  return std::move(reached).tree();
}

}  // namespace

/// Bottom-up (Steffenel and Mounié 2006): the group first whose earliest finish, the least RT_i + g_ij + L_ij + T_j, is
/// the latest of all.
const GroupSchedule bottom_up_schedule{.name = "bottom-up", .tree = tree};

}  // namespace tombolo
