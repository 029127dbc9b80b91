#pragma once

#include <cstdint>

#include <tombolo/matrix.hpp>

namespace tombolo {

/// Bytes that an out-of-core product C = A B needs on the rank that takes the most, by the block of C that is computed
/// at once.
struct BlockNeeds {
  double smallest = 0;  ///< the smallest block that is worth a product
  double high = 0;      ///< all rows, the columns of the smallest
  double wide = 0;      ///< the rows of the smallest, all columns
  double whole = 0;     ///< all of C
};

/// Returns rows and columns of the smallest block: fewer would be multiplied at a lower speed.
MatrixShape smallest_block(const GemmShape& product, int ranks);

/// Returns the rows and columns of the blocks with which the least data is read and moved, of those that are estimated
/// to need at most `most` bytes; the smallest block if none does. Every block of rows moves the columns of B once
/// more, every block of columns the rows of A. Needs in between are interpolated, as they are sums of h k, k w and h w
/// for blocks of h x w. Blocks are as equal as possible.
///
///     plan_block({.m = 1000, .n = 1000, .k = 100}, 1, {.smallest = 1, .high = 1, .wide = 1, .whole = 1}, 1)
///         {1000, 1000}
MatrixShape plan_block(const GemmShape& product, int ranks, const BlockNeeds& needs, double most);

}  // namespace tombolo
