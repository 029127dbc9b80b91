#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/framework/element_type.hpp>

namespace tombolo {

/// B = A^T over ranks: A is m x n, B is n x m, both row-major; rank r holds a_rows[r] consecutive rows of A and
/// b_rows[r] of B, in the order of the ranks. Both have one share of 0 or more per rank, and sum to m and n.
///
/// Rank s sends to rank d the elements in rows of A on s and columns of A that are rows of B on d, transposed: a
/// row-major block of b_rows[d] x a_rows[s], perhaps empty. The blocks that a rank sends lie one behind the other in
/// the order of their destinations, those that it receives in the order of their sources.
///
///     a_rows {2, 1}, b_rows {2, 2}        rank 0 sends 1 5    3 7    and receives 1 5    9    and holds 1 5  9
///     A = 1 2  3 4   on rank 0                         2 6    4 8                 2 6   10              2 6 10
///         5 6  7 8
///         9 10 11 12 on rank 1
struct TransposeShares {
  std::span<const std::int64_t> a_rows;
  std::span<const std::int64_t> b_rows;
};

/// Elements in each block that a rank sends, and in each that it receives, by peer. These and the functions below throw
/// Error on a negative share, on a number of shares that differs between A and B, and on a rank that has none.
std::vector<std::int64_t> transpose_send_counts(const TransposeShares& shares, int rank);
std::vector<std::int64_t> transpose_receive_counts(const TransposeShares& shares, int rank);

/// From a_slice[0, a_rows[rank] * n), the rank's rows of A, to all blocks that it sends, send[0, a_rows[rank] * n).
template <Element T>
void pack_transposed(const TransposeShares& shares, int rank, const T* a_slice, T* send);

/// From all blocks that the rank receives, receive[0, b_rows[rank] * m), to its rows of B, b_slice[0, b_rows[rank] *
/// m).
template <Element T>
void unpack_transposed(const TransposeShares& shares, int rank, const T* receive, T* b_slice);

}  // namespace tombolo
