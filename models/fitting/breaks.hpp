#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <tombolo/models/fitting/least_squares.hpp>

namespace tombolo {

/// A partition of points into segments, each fitted by its own line.
struct Segments {
  std::vector<std::size_t> breaks;  ///< the first point of every segment except the first
  double residual = 0;              ///< the sum of squared residuals over all segments
  std::size_t segments() const { return breaks.size() + 1; }
};

/// Returns the partition with the least residual for every number of segments from 1 to `most`, as far as the points
/// suffice, each segment of at least `shortest` >= 2 points (Bai and Perron 2003, dynamic programming). Points are in
/// ascending order of x. Takes n^2 (most + 1) steps and n^2 / 2 numbers.
std::vector<Segments> optimal_partitions(std::span<const double> x, std::span<const double> y, std::size_t most,
                                         std::size_t shortest);

/// Returns the partition with the least n log(residual / n) + 3 (number of segments) log n: the Bayesian information
/// criterion as in the package strucchange (Zeileis et al. 2002). A residual per point below `resolution`^2 counts as
/// `resolution`^2, since smaller differences are rounding errors.
const Segments& best_by_bic(std::span<const Segments> partitions, std::size_t points, double resolution);

/// Structural breaks in the relation of y to x: best_by_bic() of optimal_partitions(), with a thousandth of the mean
/// |y| as resolution.
Segments find_breaks(std::span<const double> x, std::span<const double> y, std::size_t most, std::size_t shortest);

}  // namespace tombolo
