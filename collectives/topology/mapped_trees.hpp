#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tombolo/collectives/topology/rank_tree.hpp>

namespace tombolo {

/// One tree made for a platform (mapping/trees_for.hpp), or several trees, each with a share of the vector in
/// proportion to its weight (shared_out in tree_routes.hpp). May be empty. A value: copies share immutable data.
class MappedTrees {
 public:
  struct Weighted {
    RankTree tree;
    std::int64_t weight = 1;
    /// By virtual rank, bytes that must be in flight on the link from its parent to keep up with the tree's share, in
    /// addition to Parameters::window, which then suits links without latency. Empty: none.
    std::vector<Bytes> long_links{};
    bool operator==(const Weighted&) const = default;
  };

  /// No trees.
  MappedTrees() = default;
  /// `name` is for display, e.g. "ecef over binomial". Throws Error for no trees, a weight below 1, trees over
  /// different numbers of ranks, or long links that are negative or not one per virtual rank.
  MappedTrees(std::string name, std::vector<Weighted> trees);
  /// One tree of weight 1.
  MappedTrees(std::string name, RankTree tree);

  bool empty() const { return held_ == nullptr; }
  int size() const { return held_ ? static_cast<int>(held_->trees.size()) : 0; }
  /// The following functions require a value that is not empty.
  int ranks() const { return tree(0).ranks(); }
  const RankTree& tree(int index) const { return all()[static_cast<std::size_t>(index)].tree; }
  const std::vector<Weighted>& all() const { return held_->trees; }
  const std::string& name() const { return held_->name; }

  /// Number of segments after which each tree carries the same share again: the sum of the weights in lowest terms. If
  /// the sum exceeds 256, the number of trees.
  int period() const;

  /// Compares the trees; names are ignored.
  bool operator==(const MappedTrees& other) const;

 private:
  struct Held {
    std::string name;
    std::vector<Weighted> trees;
  };
  std::shared_ptr<const Held> held_;
};

}  // namespace tombolo
