#pragma once

#include <string>
#include <variant>
#include <vector>

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

/// Adds to `served` the tree from the first of `ranks` to the others.
void serve_inside(const Inside& inside, const std::vector<Rank>& ranks, const MessageTimes& times, Served& served);

}  // namespace tombolo
