#pragma once

#include <string>
#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/units.hpp>

#include "matmul/options.hpp"

namespace tombolo::matmul {

/// Speeds of all ranks at a product.
using Speeds = std::vector<FlopsPerSecond>;

/// Ranks that may share a product by columns, and how their parts of C lie.
struct RankSet {
  std::string name;                             ///< "columns on 16 ranks of cluster c1"
  Speeds speeds;                                ///< by rank: what its part of C is in proportion to; 0: it has none
  bool nested = false;                          ///< rectangles for clusters first
  std::vector<std::vector<int>> clusters = {};  ///< that get copies, as in Rectangles
};

/// Returns the sets of ranks that are worth a prediction: all ranks first; with shares for the fastest run also groups
/// and clusters by themselves, the fastest clusters, those nearest to a root that holds the matrices, and the fastest
/// half, quarter, ... of the ranks.
std::vector<RankSet> rank_sets(const Platform& platform, const Options& options, const Speeds& speeds);

}  // namespace tombolo::matmul
