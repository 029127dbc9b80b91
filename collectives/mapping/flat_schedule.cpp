#include <tombolo/collectives/mapping/group_schedule.hpp>

namespace tombolo {

namespace {

GroupTree tree(const GroupProblem& problem) {
  GroupTree tree(static_cast<std::size_t>(problem.groups));
  for (int group = 0; group < problem.groups; ++group) {
    if (group != problem.root) tree[static_cast<std::size_t>(problem.root)].push_back(group);
  }
  return tree;
}

}  // namespace

/// The root's group serves all others, as in MagPIe (Kielmann et al. 1999).
const GroupSchedule flat_schedule{.name = "flat", .tree = tree};

}  // namespace tombolo
