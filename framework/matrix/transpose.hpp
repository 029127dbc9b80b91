#pragma once

#include <cstdint>

#include <tombolo/framework/element_type.hpp>

namespace tombolo {

/// Computes out = in^T, bit for bit: in is rows x columns, out is columns x rows, both row-major with in_stride and
/// out_stride elements from row to row, so that parts of larger matrices are possible. Elements between the rows of out
/// are not changed; out must not overlap in. Sizes may be 0. Throws Error if a size is negative or a stride is smaller
/// than its row.
///
///     transpose(2, 3, in, 3, out, 2)     in = 1 2 3    out = 1 4
///                                             4 5 6          2 5
///                                                            3 6
///
/// Runs on one thread. Speed relative to a memcpy of the same number of bytes, for matrices beyond the caches (EPYC
/// 9004, memcpy at 7 to 12 GB/s, packed squares): double 0.95 to 1.0 at 4096, 0.8 to 0.9 at 8192; float 0.77 to 0.97
/// and 0.7; complex128 0.9. If rows of out begin anywhere in a cache line (odd sizes) 0.5 to 0.85. Plain loops in
/// blocks of 32 reach 0.06 to 0.28. Matrices of less than 4 MB, in the caches: 0.25 to 0.5. On two cores of a shared
/// Xeon (2025) double reaches 1.2 to 1.3 at 4096, where memcpy fetches the lines that it overwrites, and 0.75 to 0.8 at
/// 8192, where memcpy does not.
template <Element T>
void transpose(std::int64_t rows, std::int64_t columns, const T* in, std::int64_t in_stride, T* out,
               std::int64_t out_stride);

}  // namespace tombolo
