#pragma once

#include <cstdint>

#include <tombolo/framework/element_type.hpp>

namespace tombolo {

/// The sum, modulo 2^64, over rows first_row, first_row + 1, ... of a matrix (row_major[0, rows * columns)) of a mix of
/// each element's place and bits. Sums of slices, on whatever ranks, add up to that of the matrix. With `transposed`
/// the place of element (i, j) counts as (j, i): so the sum over the slices of B, transposed, is the sum over those of
/// A if B = A^T bit for bit, NaN and -0 included, and else but for about one chance in 2^64. It finds mistakes, not
/// forgery.
///
/// Throws Error on negative sizes. Memory is read in order either way: 1.8 ns an element in float, 2.2 ns in double and
/// complex64, 3.6 ns in complex128 (EPYC 9004, one thread).
template <Element T>
std::uint64_t hash_rows(const T* row_major, std::int64_t first_row, std::int64_t rows, std::int64_t columns,
                        bool transposed);

}  // namespace tombolo
