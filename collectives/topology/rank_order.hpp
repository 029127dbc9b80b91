#pragma once

#include <vector>

#include <tombolo/units.hpp>

namespace tombolo {

/// Mapping between ranks and virtual ranks (places) of an algorithm. Tree topologies are defined over virtual ranks 0,
/// 1, ..., with the root at 0; mapping an algorithm onto a platform is the choice of this order.
class RankOrder {
 public:
  /// The given order: every rank once, the root first; otherwise throws Error. If empty, cyclic from the root: virtual
  /// rank p is rank (root + p) mod ranks.
  RankOrder(int ranks, Rank root, std::vector<Rank> order = {});
  /// Virtual rank p is rank p, for operations that must not reorder operands.
  static RankOrder in_rank_order(int ranks) { return {ranks, 0}; }

  int size() const { return ranks_; }
  Rank rank(int place) const;
  int place(Rank rank) const;
  /// True if the virtual ranks are the ranks in turn, from the root on.
  bool is_cyclic() const { return order_.empty(); }

 private:
  int ranks_;
  Rank first_;
  std::vector<Rank> order_;
  std::vector<int> place_of_;
};

}  // namespace tombolo
