#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include <tombolo/collectives/plan/parameters.hpp>
#include <tombolo/collectives/plan/schedule_writer.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/collectives/topology/rank_order.hpp>
#include <tombolo/collectives/topology/rank_tree.hpp>
#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

/// The blocks of the subtree below one rank, for a scatterv or gatherv over a tree. Inner nodes keep the blocks of
/// their descendants in scratch, in the order of virtual ranks; the root keeps all blocks in rank order. Blocks above
/// Parameters::direct_above skip the tree and count as empty in it. `request` must outlive this.
class SubtreeBlocks {
 public:
  /// For a tree topology over virtual ranks in the order of Parameters::order.
  SubtreeBlocks(const TreeTopology& shape, const Request& request, const Parameters& parameters, Rank rank)
      : request_(request),
        places_(request.ranks, request.root, parameters.order),
        node_(Tree(shape, request.ranks).node(places_.place(rank))),
        most_(most_in_tree(request, parameters)) {}
  /// For a tree over ranks.
  SubtreeBlocks(const RankTree& tree, const Request& request, const Parameters& parameters, Rank rank)
      : request_(request),
        places_(request.ranks, request.root, tree.order()),
        node_(tree.node(tree.place(rank))),
        most_(most_in_tree(request, parameters)) {}

  const Tree::Node& node() const { return node_; }
  bool is_root() const { return node_.parent < 0; }
  Rank parent() const { return places_.rank(node_.parent); }
  Rank rank(const Subtree& subtree) const { return places_.rank(subtree.top); }

  /// True if the rank's block skips the tree.
  bool is_direct(Rank rank) const { return request_.blocks.count(rank) > most_; }
  /// The ranks below the root whose blocks skip the tree, in the order of virtual ranks. For the root.
  std::vector<Rank> direct() const;
  /// Elements of a rank's block in the tree.
  std::int64_t count(Rank rank) const { return is_direct(rank) ? 0 : request_.blocks.count(rank); }
  /// Elements of a subtree's blocks.
  std::int64_t elements(const Subtree& subtree) const;
  /// The buffer ranges of the subtree's blocks at the root.
  BufferRanges at_root(const Subtree& subtree, Buffer buffer) const;
  /// The child's blocks in this rank's scratch, which begins with the block of the next virtual rank.
  BufferRanges in_scratch(const Subtree& child) const;
  /// The entries of Buffer::counts for a subtree's ranks, with or without the subtree's root.
  BufferRanges counts(const Subtree& subtree, bool with_top) const;

 private:
  static std::int64_t most_in_tree(const Request& request, const Parameters& parameters) {
    if (parameters.direct_above == 0) return std::numeric_limits<std::int64_t>::max();
    return parameters.direct_above / std::max<Bytes>(request.element_bytes, 1);
  }

  const Request& request_;
  RankOrder places_;
  Tree::Node node_;
  std::int64_t most_;
};

}  // namespace tombolo
