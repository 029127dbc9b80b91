#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tombolo/collectives/rank_tree.hpp>

namespace tombolo {

/// One tree that was made for a platform (mapping/trees_for.hpp), or several, each of which carries a share of a vector
/// in proportion to its weight (shared_out in forest.hpp). Or none. A value: copies share what it holds, which never
/// changes.
class MappedTrees {
 public:
  struct Weighted {
    RankTree tree;
    std::int64_t weight = 1;
    /// By place, bytes that must be under way on the link from its parent to keep up with the tree's share, beyond what
    /// Parameters::window lets, which is then for links of no latency. Empty: none.
    std::vector<Bytes> long_links{};
    bool operator==(const Weighted&) const = default;
  };

  /// None.
  MappedTrees() = default;
  /// `name` is for people: "ecef over binomial". Throws Error for a weight below 1, trees over different numbers of
  /// ranks, long links that are not one for each place, or no trees.
  MappedTrees(std::string name, std::vector<Weighted> trees);
  /// One.
  MappedTrees(std::string name, RankTree tree);

  bool empty() const { return held_ == nullptr; }
  int size() const { return held_ ? static_cast<int>(held_->trees.size()) : 0; }
  /// These are for values that are not empty.
  int ranks() const { return tree(0).ranks(); }
  const RankTree& tree(int index) const { return all()[static_cast<std::size_t>(index)].tree; }
  const std::vector<Weighted>& all() const { return held_->trees; }
  const std::string& name() const { return held_->name; }

  /// After how many segments the same tree carries the same share again: the sum of the weights in their lowest terms.
  /// Where that is more than a period can be, the number of trees.
  int period() const;

  /// Whether they hold the same trees; names do not count.
  bool operator==(const MappedTrees& other) const;

 private:
  struct Held {
    std::string name;
    std::vector<Weighted> trees;
  };
  std::shared_ptr<const Held> held_;
};

}  // namespace tombolo
