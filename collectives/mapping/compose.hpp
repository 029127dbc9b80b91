#pragma once

#include <vector>

#include <tombolo/collectives/mapping/group_schedule.hpp>
#include <tombolo/collectives/mapping/inside.hpp>
#include <tombolo/collectives/mapping/landscape.hpp>
#include <tombolo/collectives/rank_tree.hpp>

namespace tombolo {

/// How messages go through the levels of a landscape.
struct Composition {
  /// Between the groups of each level, the outermost first; the last also of all further levels. At least one.
  std::vector<const GroupSchedule*> between;
  Inside inside;
  /// Whether a message is as large as the ranks below it are many, as where blocks are scattered or gathered.
  bool blocks = false;
  /// Whether each rank serves those first from whom on it takes longest (serve_longest_first), instead of as above.
  bool longest_first = false;
};

/// A tree over all ranks (Steffenel and Mounié 2006; Karonis et al. 2000): at every level one rank of each group, the
/// nearest to the sender, or the root where it is inside, passes messages on to those of other groups first, then
/// within its own group. So a message crosses between k groups k - 1 times. `times` are those of one message (of one
/// block).
RankTree compose(const Landscape& landscape, Rank root, const Composition& composition, const MessageTimes& times);

/// The same without the outermost level: one tree for each of its groups, below that rank of it which is nearest to
/// those of the other groups. For what leaders exchange.
RankTree compose_with_leaders(const Landscape& landscape, const Composition& composition, const MessageTimes& times);

/// That rank of all which is the nearest to the ranks of other groups: where a tree may have its root anywhere.
Rank central_rank(const Landscape& landscape, const MessageTimes& times);

}  // namespace tombolo
