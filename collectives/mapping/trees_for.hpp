#pragma once

#include <functional>
#include <vector>

#include <tombolo/collectives/mapping/hierarchy.hpp>
#include <tombolo/collectives/mapping/placement.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/collectives/topology/mapped_trees.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// Returns the candidate trees of a mapped scatterv or gatherv, for trees_for(): trees over the levels of the
/// hierarchy, where a message carries the blocks of a whole group; tree topologies that put large messages on fast
/// links; the flat tree, longest message first. Empty if a count is unknown.
std::vector<MappedTrees> block_trees(const Request& request, const Model& model, const Hierarchy& hierarchy);

/// Returns one tree of the given topology over all ranks of a scatterv or gatherv. A message is as long as the blocks
/// of its subtree; ranks without a virtual rank yet count with the mean block. All counts must be known.
RankTree placed_blocks_tree(const TreeTopology& shape, const Request& request, const Model& model,
                            Mapping mapping = Mapping::good);

/// The model believed among the ranks of one group.
using ModelWithin = std::function<const Model&(const std::vector<Rank>& ranks)>;

/// Returns the candidate trees of an algorithm that follows trees (Mapped), each with a name and no two equal: about 10
/// to 25 where latency dominates, fewer where bandwidth does. `message_bytes` is the size of one message, a whole
/// vector or a segment; v-collectives compute sizes from their blocks. `model` and `hierarchy` are for the ranks of the
/// request. Empty for other algorithms, and if a rank does not know all counts of a v-collective.
///
/// Among them are trees in which every innermost group has a shape of its own (fastest_inside()), by the model that
/// `model_within` believes there, by `model` if it is empty; and every level its own schedule (fastest_schedule).
///
/// Deterministic and in integers: all ranks get the same trees. Time: about the square of the ranks up to 128, beyond
/// that about P log P.
std::vector<MappedTrees> trees_for(const Request& request, const Algorithm& algorithm, const Model& model,
                                   const Hierarchy& hierarchy, Bytes message_bytes,
                                   const ModelWithin& model_within = {});

/// Returns true for an algorithm over trees with a root, several of which share a vector, on three to 32 clusters.
bool may_share_links(const Algorithm& algorithm, const Hierarchy& hierarchy);
/// Returns link_sharing_trees() for such an algorithm, few and many; none for others, or for an empty vector. Not among
/// trees_for(): the best segment differs, so they are searched separately.
std::vector<MappedTrees> link_sharing_trees_for(const Request& request, const Algorithm& algorithm, const Model& model,
                                                const Hierarchy& hierarchy);

/// Returns the trees with the bytes in flight on each link set (MappedTrees::Weighted::long_links): the latency times
/// the rate of the tree's share while the vector passes at the rate of one link. These bytes and two segments more, one
/// being acknowledged and one in reserve (a window of 2), keep a link busy. Still more bytes in flight only make flows
/// share a port and delay all of them.
MappedTrees with_long_links(const MappedTrees& trees, const Model& model);

/// Improves a plan over one tree (Parameters::trees) by swapping the virtual ranks of pairs of ranks. Tries pairs in
/// turn, without the root, larger subtrees first; keeps a swap that reduces the predicted makespan. Stops when no swap
/// helps or after `predictions` predictions. Every comparison is one of integers, so all ranks that know all counts get
/// the same plan.
Plan with_ranks_swapped(const Plan& plan, const Model& model, int predictions);

}  // namespace tombolo
