#pragma once

#include <array>
#include <utility>
#include <vector>

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/pairs/pair_classes.hpp>

namespace tombolo {

/// The experiments that determine LMO's parameters (LMO paper, section 5).
///
/// A triplet consists of ranks of one logical cluster: all C(n, 3) triplets in a cluster of at most 24 ranks. A larger
/// cluster has a balanced sample: 64 pseudo-random orders of its ranks, equal on all ranks, each cut into triplets, so
/// that every rank is in 64 or a few more. The ranks of a cluster of one or two ranks are completed by ranks of other
/// clusters, in up to 8 triplets spread over all other ranks. A platform of two ranks has no triplet.
struct LmoDesign {
  /// A rank of a triplet that sends to the other two.
  struct Root {
    int triplet = 0;
    int place = 0;  ///< in the triplet
  };
  std::vector<std::array<Rank, 3>> triplets;  ///< each ascending
  std::vector<Root> roots;                    ///< of triplets that contribute to the root's C and t
  /// a < b, ascending: the pairs of triplets, a sample of every class of pairs, and all pairs of clusters of at most 64
  /// ranks.
  std::vector<std::pair<Rank, Rank>> pairs;
  std::vector<std::vector<std::size_t>> by_rank;  ///< indices into `roots` of each rank

  /// The index in `pairs` of a pair, in either order; the pair must be present.
  std::size_t pair(Rank a, Rank b) const;
};

LmoDesign lmo_design(const PairClasses& classes, int ranks);

/// Returns the message size for LMO's experiments, in bytes: the largest size that is safely sent with the same
/// protocol as smaller ones, at most 32 KiB, so that the time per byte stands out from the noise. Without noise at most
/// 8 KiB, which gives the same result in less time.
///
/// Based on structural breaks in the times of round trips (empty answers) of 10 sizes up to 20 KiB, with noise of 17
/// sizes up to 64 KiB, between three pairs of ranks of each of up to three classes. The result is the largest size
/// before the first break with times more than 10 % off the line before it; the median over the pairs of a class, the
/// minimum over the classes. Beyond a break (an eager threshold, a buffer) one-to-two experiments would not measure
/// LMO's parameters (LMO paper, figure 3a). Collective.
Bytes regular_size(const PairClasses& classes, Laboratory& laboratory);

}  // namespace tombolo
