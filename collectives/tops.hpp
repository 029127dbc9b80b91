#pragma once

#include <algorithm>
#include <vector>

#include <tombolo/collectives/rank_tree.hpp>

namespace tombolo {

/// The tops of a tree that has several, in order, as one of them sees them: own() is size() for a rank that is none.
class Tops {
 public:
  Tops(const RankTree& tree, Rank own)
      : ranks_(tree.tops()), own_(static_cast<int>(std::find(ranks_.begin(), ranks_.end(), own) - ranks_.begin())) {}

  int size() const { return static_cast<int>(ranks_.size()); }
  int own() const { return own_; }
  Rank rank(int index) const { return ranks_[static_cast<std::size_t>(index)]; }

 private:
  std::vector<Rank> ranks_;
  int own_;
};

/// Up to so many tops exchange directly where Parameters::radix is 0: over long links a round costs more than messages.
constexpr int tops_radix = 16;

}  // namespace tombolo
