#pragma once

#include <vector>

#include <tombolo/collectives/mapping/group_schedule.hpp>
#include <tombolo/collectives/mapping/hierarchy.hpp>
#include <tombolo/collectives/mapping/inside.hpp>
#include <tombolo/collectives/topology/rank_tree.hpp>

namespace tombolo {

/// The schedules of a message through the levels of a hierarchy.
struct Composition {
  /// Schedules between the groups of each level, outermost level first; deeper levels use the last one. At least one.
  std::vector<const GroupSchedule*> between;
  Inside inside;
  /// Message sizes grow with the number of ranks below the receiver, as in a scatter or gather.
  bool blocks = false;
  /// Each rank serves the child with the longest remaining time first (serve_longest_first()), not other groups first.
  bool longest_first = false;
};

/// Returns a tree over all ranks (Steffenel and Mounié 2006; Karonis et al. 2000). At every level one rank of each
/// group, the nearest to the sender, or the root in its own group, forwards to other groups first, then within its
/// group. So a message crosses between k groups k - 1 times. `times` holds the times of one message (of one block).
RankTree compose(const Hierarchy& hierarchy, Rank root, const Composition& composition, const MessageTimes& times);

/// Returns the trees of compose() without the outermost level: one tree per outermost group, rooted at the rank nearest
/// to the next group. For exchanges among leaders.
RankTree compose_with_leaders(const Hierarchy& hierarchy, const Composition& composition, const MessageTimes& times);

/// Returns the leader nearest to the leaders of all other outermost groups, as the root where any rank may be root.
Rank central_rank(const Hierarchy& hierarchy, const MessageTimes& times);

}  // namespace tombolo
