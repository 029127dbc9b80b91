#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <tombolo/collectives/mapping/group_schedule.hpp>
#include <tombolo/collectives/mapping/hierarchy.hpp>
#include <tombolo/collectives/mapping/message_times.hpp>
#include <tombolo/collectives/topology/rank_tree.hpp>
#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

/// The children of each rank in sending order, by rank, of a tree under construction. RankTree::of_children() converts
/// the finished one.
using Served = std::vector<std::vector<Rank>>;

/// Returns the time from `top` having a message to all ranks below having it. A rank sends to its children one after
/// another, one gap apart. A quick estimate without contention.
Picoseconds time_below(const Served& served, Rank top, const MessageTimes& times);

/// Lets each rank below `top` serve the child with the longest remaining time first if that shortens the time of its
/// subtree. With equal gaps no other order of a given tree is faster. time_below() does not grow.
void serve_longest_first(Served& served, Rank top, const MessageTimes& times);

/// The tree within a group of equally near ranks.
struct Inside {
  struct Greedy {};
  std::string name;
  /// A tree topology, or greedy: ECEF with each rank as a group (the LogP tree of Karp et al. 1993) up to 128 ranks,
  /// beyond that a binomial tree.
  std::variant<Greedy, TreeTopology> how = Greedy{};
};

/// Returns shallow trees for unsegmented messages: binomial, 4-nomial, 8-nomial, postal, flat. `wait` is the delay of
/// the postal tree: the sends that a rank can begin before its first message has arrived.
std::vector<Inside> shallow_shapes(int wait);
/// Returns shallow_shapes(), greedy, and the pipelined trees: binary, chain.
std::vector<Inside> inside_shapes(int wait);

/// Returns the groups without children, in the order in which compose() reaches them: in each of them all ranks are
/// equally near.
std::vector<const Hierarchy::Group*> innermost_groups(const Hierarchy& hierarchy);

/// Poly-adapt-2 inside one group: returns the tree with the least time for `messages` messages of times.bytes() in a
/// row, the first among equals. The first message takes time_below(); every further one as long as the busiest rank
/// sends. `times` holds the times of the model believed in the group.
const Inside& fastest_inside(const std::vector<Inside>& insides, const std::vector<Rank>& ranks,
                             const MessageTimes& times, std::int64_t messages);

/// The schedules of a message through the levels of a hierarchy.
struct Composition {
  /// Schedules between the groups of each level, outermost level first; deeper levels use the last one. At least one.
  std::vector<const GroupSchedule*> between;
  /// Trees within the innermost_groups(), in their order; further groups use the last one. At least one.
  std::vector<Inside> inside;
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
