#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/matrix.hpp>

namespace tombolo {

/// Consecutive indices of the inner dimension k of a product.
struct InnerRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
  bool operator==(const InnerRange&) const = default;
};

/// Returns the number of indices in ranges.
std::int64_t total_count(std::span<const InnerRange> ranges);

/// What each rank has of the matrices of a product C = A B: a rectangle of C, the rectangle of the same rows of A, and
/// the rectangle of the same columns of B. Where the rectangles of C cover C once, those of A and B cover A and B once,
/// with about the same share of elements.
struct ProductParts {
  std::vector<Part> a;  ///< by rank
  std::vector<Part> b;
  std::vector<Part> c;
};

/// Returns the parts of A and B that belong to parts of C: columns of C become columns of A in the ratio k / n, rows of
/// C rows of B in the ratio k / m. Without elements of C there is no ratio: then rank 0 has all of A and B. Throws
/// Error if a dimension is negative, or without ranks.
///
///     product_parts({4, 4, 8}, c = {{0, 4, 0, 1}, {0, 4, 1, 3}})
///         a = {{0, 4, 0, 2}, {0, 4, 2, 6}}     b = {{0, 8, 0, 1}, {0, 8, 1, 3}}
ProductParts product_parts(const GemmShape& shape, std::vector<Part> c);

/// The distribution of a matrix of which each rank has one part.
Distribution part_by_rank(const MatrixShape& shape, std::span<const Part> parts);

/// Cuts the inner dimension into panels: while one is multiplied, the next one travels. Each panel has `pieces` ranges
/// from all over the dimension, so that all ranks send parts of each panel. No range is shorter than `shortest`, but
/// for a dimension that is shorter as a whole; so there may be fewer panels and pieces. Throws Error unless panels,
/// pieces and shortest are positive.
///
///     panels_of_inner(16, 2, 2, 4) = {{{0, 4}, {8, 4}}, {{4, 4}, {12, 4}}}
std::vector<std::vector<InnerRange>> panels_of_inner(std::int64_t k, int panels, int pieces, std::int64_t shortest);

/// Computes `tile` of a part of C of `rows` x `columns`, whose first row and column are 0 here: += the product of a
/// panel of A and one of B, or = if it is the first panel, as needed_of_a() and needed_of_b() (product_lines.hpp) have
/// them in memory: A range by range, B as one matrix. `all_of_b`: B has the rows of all panels instead, in order. For T
/// = float or double.
template <class T>
void multiply_panel(std::span<const InnerRange> panel, const MatrixShape& part, const Part& tile, bool is_first,
                    const T* a, const T* b, T* c, bool all_of_b = false);

}  // namespace tombolo
