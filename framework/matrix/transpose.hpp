#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include <tombolo/matrix.hpp>

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

/// Transposes a row-major matrix in place, bit for bit: matrix[0, rows * columns) is rows x columns before and columns
/// x rows, row-major, after. Any shape; sizes may be 0. Throws Error if a size is negative.
///
///     transpose_in_place(2, 3, matrix)     1 2 3     becomes   1 4
///                                          4 5 6               2 5
///                                                              3 6
///
/// Takes in_place_workspace() bytes beside the matrix: 1 KiB for each of the smaller of rows and columns, and one bit
/// for each KiB of the matrix; 64 KiB for a square matrix.
///
/// Square matrices: tiles are swapped. Other matrices go through strips (Gustavson, Karlsson, Kagstrom, "Parallel and
/// cache-efficient in-place matrix storage format conversion", ACM TOMS 38(3), 2012, generalised to any shape): a tall
/// matrix is cut into strips of as many rows as fill 1 KiB; each strip is transposed through the workspace; then rows
/// of strips, 1 KiB each, are permuted along cycles; the rows that fill no strip wait in the workspace meanwhile. A
/// wide matrix takes the same steps backwards. Four passes over memory; the decomposition into rows and columns of
/// Catanzaro, Keller and Garland (PPoPP 2014) takes as many, two of them element by element.
///
/// Runs on one thread. Speed relative to an out-of-place memcpy of the same number of bytes (EPYC 9004, memcpy at 6 to
/// 11 GB/s, matrices of 0.1 to 1 GB): squares 0.34 to 0.43, others 0.2 to 0.36 if the longer side is cut into strips
/// without remainder or is much longer, 0.11 to 0.17 otherwise (8191 x 8209).
template <Element T>
void transpose_in_place(std::int64_t rows, std::int64_t columns, T* matrix);

/// Returns the memory of transpose_in_place() beside the matrix, in bytes.
Bytes in_place_workspace(std::int64_t rows, std::int64_t columns, Bytes element);

/// Permutes the rows of a matrix in place: row r becomes the former row source(r), where source is a permutation of 0
/// to rows - 1. Each row is moved once, along cycles. Takes memory for one row and one bit per row.
template <class T, class Source>
void permute_rows(std::int64_t rows, std::int64_t width, T* matrix, Source source) {
  constexpr std::int64_t line = 64;  // bytes of a cache line
  constexpr std::int64_t most_ahead = 1024;
  const std::int64_t bytes = width * std::int64_t{sizeof(T)};
  auto* const base = reinterpret_cast<std::byte*>(matrix);
  const auto move = [bytes](const std::byte* from, std::byte* to) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  };
  if (rows == 0 || bytes == 0) return;
  std::vector<bool> placed(static_cast<std::size_t>(rows));
  const auto kept = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
  for (std::int64_t first = 0; first < rows; ++first) {
    if (placed[static_cast<std::size_t>(first)]) continue;
    std::int64_t at = first;
    std::int64_t from = source(at);
    if (from != first) move(base + first * bytes, kept.get());
    while (from != first) {
      const std::int64_t next = source(from);
      for (std::int64_t ahead = 0; ahead < bytes && ahead < most_ahead; ahead += line) {
        __builtin_prefetch(base + next * bytes + ahead);
      }
      move(base + from * bytes, base + at * bytes);
      placed[static_cast<std::size_t>(at)] = true;
      at = from;
      from = next;
    }
    if (at != first) move(kept.get(), base + at * bytes);
    placed[static_cast<std::size_t>(at)] = true;
  }
}

}  // namespace tombolo
