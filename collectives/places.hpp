#pragma once

#include <vector>

#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

/// Which rank takes which place of an algorithm's shape. Shapes are drawn over places 0, 1, ..., with the root at 0;
/// mapping an algorithm onto a platform is choosing this order and nothing else.
class Places {
 public:
  /// Parameters::order, or upwards from the root: place p is rank (root + p) mod ranks.
  Places(const Request& request, const Parameters& parameters);
  /// Place p is rank p, as operations need that may not reorder their operands.
  static Places in_rank_order(int ranks);

  int size() const { return ranks_; }
  Rank rank(int place) const;
  int place(Rank rank) const;

 private:
  Places(int ranks, Rank first) : ranks_(ranks), first_(first) {}
  int ranks_;
  Rank first_;
  std::vector<Rank> order_;
  std::vector<int> place_of_;
};

}  // namespace tombolo
