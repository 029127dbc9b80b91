#pragma once

// Partitions of a matrix into rectangles, one for each rank, with areas in proportion to speed.

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/matrix.hpp>
#include <tombolo/platform.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// Returns a rectangle of the matrix for each rank: disjoint, together the whole matrix, areas in proportion to speed
/// as far as whole rows and columns allow. The matrix is cut into columns and each column among its ranks, such that
/// the sum of rows and columns of all rectangles is the least of all such cuts. In C = A B this sum, times the columns
/// of A, is the number of elements of A and B that all ranks need.
///
///     column_partition({6, 6}, speeds {1, 1, 1, 3})     0 0 0 3 3 3      sum of rows and columns 9 + 3 * 5 = 24,
///                                                       0 0 0 3 3 3      in bands of rows 4 * 6 + 6 = 30
///                                                       1 1 1 3 3 3
///                                                       1 1 1 3 3 3
///                                                       2 2 2 3 3 3
///                                                       2 2 2 3 3 3
///
/// A rank of speed 0, and one whose share is less than a row, gets an empty rectangle. Integers, so all ranks agree;
/// O(ranks^2) time. Throws Error if a dimension or a speed is negative, or if no speed is positive. Source: Beaumont,
/// Boudet, Rastello and Robert, "Matrix multiplication on heterogeneous platforms", 2001, section 4: a dynamic program
/// over ranks sorted by speed; here for matrices that are not square too.
std::vector<Part> column_partition(const MatrixShape& shape, std::span<const FlopsPerSecond> speeds);

/// Returns a rectangle for each rank as column_partition(), but inside out of rectangles for groups of ranks: first
/// each group and cluster of `top` gets a rectangle, so that the sum of rows and columns of clusters is small, as that
/// is what travels over links between clusters; then the ranks of each cluster get theirs inside. Ranks that are not in
/// `top` get nothing. Throws as column_partition(), and std::out_of_range for a rank in `top` without a speed.
std::vector<Part> nested_partition(const MatrixShape& shape, std::span<const FlopsPerSecond> speeds, const Level& top);

/// Returns the sum of rows and columns of all rectangles with elements.
std::int64_t half_perimeters(std::span<const Part> parts);

}  // namespace tombolo
