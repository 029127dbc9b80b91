#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/plan/parameters.hpp>
#include <tombolo/collectives/plan/schedule_writer.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/collectives/topology/rank_order.hpp>
#include <tombolo/collectives/topology/rank_tree.hpp>
#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

/// The blocks of the subtree below one rank, for a scatterv or gatherv over a tree. Inner nodes keep the blocks of
/// their descendants in scratch, in the order of virtual ranks; the root keeps all blocks in rank order. Blocks above
/// Parameters::direct_above skip the tree and count as empty in it.
class SubtreeBlocks {
 public:
  /// The arguments of Algorithm::write. Request and parameters must outlive this.
  struct Call {
    const Request& request;
    const Parameters& parameters;
    Rank rank;
  };
  /// For a tree topology over virtual ranks in the order of Parameters::order.
  SubtreeBlocks(const TreeTopology& shape, const Call& call)
      : SubtreeBlocks(call, RankOrder(call.request.ranks, call.request.root, call.parameters.order)) {
    node_ = Tree(shape, call.request.ranks).node(places_.place(call.rank));
  }
  /// For a tree over ranks.
  SubtreeBlocks(const RankTree& tree, const Call& call)
      : SubtreeBlocks(call, RankOrder(call.request.ranks, call.request.root, tree.order())) {
    node_ = tree.node(tree.place(call.rank));
  }

  const Call& call() const { return call_; }

  const Tree::Node& node() const { return node_; }
  bool is_root() const { return node_.parent < 0; }
  Rank parent() const { return places_.rank(node_.parent); }
  Rank rank(const Subtree& subtree) const { return places_.rank(subtree.top); }

  /// True if the rank's block skips the tree.
  bool is_direct(Rank rank) const { return call_.request.blocks.count(rank) > most_; }
  /// The ranks below the root whose blocks skip the tree, in the order of virtual ranks. For the root.
  std::vector<Rank> direct() const;
  /// Elements of a rank's block in the tree.
  std::int64_t count(Rank rank) const { return is_direct(rank) ? 0 : call_.request.blocks.count(rank); }
  /// Elements of a subtree's blocks.
  std::int64_t elements(const Subtree& subtree) const;
  /// The buffer ranges of the subtree's blocks at the root.
  BufferRanges at_root(const Subtree& subtree, Buffer buffer) const;
  /// The child's blocks in this rank's scratch, which begins with the block of the next virtual rank.
  BufferRanges in_scratch(const Subtree& child) const;
  /// The entries of Buffer::counts for a subtree's ranks, with or without the subtree's root.
  BufferRanges counts(const Subtree& subtree, bool with_top) const;

 private:
  SubtreeBlocks(const Call& call, RankOrder places) : call_(call), places_(std::move(places)) {
    const Bytes most = call.parameters.direct_above;
    if (most > 0) most_ = most / std::max<Bytes>(call.request.element_bytes, 1);
  }

  Call call_;
  RankOrder places_;
  Tree::Node node_;
  std::int64_t most_ = std::numeric_limits<std::int64_t>::max();  // elements of a block in the tree
};

/// Algorithm::write, or learn, of an operation over a tree family, or over the mapped tree.
using WriteBlocks = void (*)(const SubtreeBlocks& blocks, ScheduleWriter& writer);
template <TreeFamily family, WriteBlocks write>
void write_over_family(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write(SubtreeBlocks(family(parameters), {request, parameters, rank}), writer);
}
template <WriteBlocks write>
void write_over_mapped(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write(SubtreeBlocks(trees_or_binomial(request, parameters).tree(0), {request, parameters, rank}), writer);
}

}  // namespace tombolo
