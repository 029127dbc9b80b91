#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <tombolo/models/least_squares.hpp>

namespace tombolo {

/// Points cut into segments, each with a line of its own.
struct Partition {
  std::vector<std::size_t> breaks;  ///< the first point of every segment but the first one
  double residual = 0;              ///< the sum of squared residuals over all segments
  std::size_t segments() const { return breaks.size() + 1; }
};

/// The partition with the least residual for every number of segments from 1 to `most`, as far as there are points,
/// each segment of at least `shortest` >= 2 points (Bai and Perron 2003, dynamic programming). Points are in ascending
/// order of x. Takes n^2 (most + 1) steps and n^2 / 2 numbers.
std::vector<Partition> optimal_partitions(std::span<const double> x, std::span<const double> y, std::size_t most,
                                          std::size_t shortest);

/// The one of these with the least n log(residual / n) + 3 (number of segments) log n: the Bayesian information
/// criterion as the package strucchange counts it (Zeileis et al. 2002). A residual per point below `resolution`^2
/// counts as that: what is finer is rounding.
const Partition& best_by_bic(std::span<const Partition> partitions, std::size_t points, double resolution);

/// Where the relation of y to x breaks: the two above, with a thousandth of the mean |y| as resolution.
Partition find_breaks(std::span<const double> x, std::span<const double> y, std::size_t most, std::size_t shortest);

/// The lines of a partition's segments.
std::vector<Line> lines_of(const Partition& partition, std::span<const double> x, std::span<const double> y);

}  // namespace tombolo
