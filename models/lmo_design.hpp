#pragma once

#include <array>
#include <utility>
#include <vector>

#include <tombolo/models/pair_classes.hpp>

namespace tombolo {

/// Which experiments the parameters of LMO are found from (LMO paper, section 5).
///
/// Triplets are of ranks of one logical cluster: all C(n, 3) of them where it has at most 24 ranks. In a larger one
/// they are a balanced sample: 64 pseudo-random orders of its ranks, the same everywhere, each cut into triplets, so
/// that every rank is in 64 or a few more. A cluster of one or two ranks has no triplet of its own: its ranks take
/// partners from other clusters, in up to 8 triplets, spread over all other ranks. Where there are only two ranks there
/// is no triplet.
struct LmoDesign {
  /// One rank of a triplet, from which the other two are sent to.
  struct Root {
    int triplet = 0;
    int place = 0;  ///< in the triplet
  };
  std::vector<std::array<Rank, 3>> triplets;  ///< each ascending
  std::vector<Root> roots;                    ///< of triplets, whose C and t they say something about
  std::vector<std::pair<Rank, Rank>> pairs;  ///< a < b, ascending: those of triplets, some of every class of pairs, and
                                             ///< all of clusters of at most 64 ranks
  std::vector<std::vector<std::size_t>> by_rank;  ///< the places in `roots` of each rank

  /// The place in `pairs` of a pair that is there, whichever is first.
  std::size_t pair(Rank a, Rank b) const;
};

LmoDesign lmo_design(const PairClasses& classes, int ranks);

}  // namespace tombolo
