#pragma once

#include <tombolo/collectives/places.hpp>
#include <tombolo/collectives/schedule_writer.hpp>
#include <tombolo/collectives/tree.hpp>

namespace tombolo {

/// What a scatterv or gatherv over a tree needs to know about the blocks of a subtree's ranks. Inner places keep the
/// blocks of the places below them in scratch, in the order of places; the root keeps all blocks in rank order.
class SubtreeBlocks {
 public:
  SubtreeBlocks(const Request& request, const Places& places, Tree::Node node)
      : request_(request), places_(places), node_(std::move(node)) {}

  const Tree::Node& node() const { return node_; }
  bool is_root() const { return node_.parent < 0; }
  Rank parent() const { return places_.rank(node_.parent); }
  Rank rank(const Subtree& subtree) const { return places_.rank(subtree.top); }

  /// Elements of a subtree's blocks.
  std::int64_t elements(const Subtree& subtree) const;
  /// The subtree's blocks as they lie at the root.
  Pieces at_root(const Subtree& subtree, Buffer buffer) const;
  /// The child's blocks in this place's scratch, which begins with the block after its own.
  Pieces in_scratch(const Subtree& child) const;
  /// The entries of Buffer::counts for a subtree's ranks, with or without the one at its top.
  Pieces counts(const Subtree& subtree, bool with_top) const;

 private:
  const Request& request_;
  const Places& places_;
  Tree::Node node_;
};

}  // namespace tombolo
