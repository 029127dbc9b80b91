#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <tombolo/framework/matrix_layout.hpp>
#include <tombolo/framework/part.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// The ownership of a matrix's elements by ranks; a vector is a matrix of one column. The matrix is cut into the blocks
/// of a grid, of any heights and widths, also 0; each block has an owner, or every rank has a copy of the whole matrix.
///
///     rows({2, 0, 1}, 3)     columns(3, {1, 2})     blocks({2, 1}, {1, 2}, {0, 1, 1, 0}, 2)     at(1, {3, 3}, 2)
///
///         0 0 0                   0 1 1                   0 1 1                                   1 1 1
///         0 0 0                   0 1 1                   0 1 1                                   1 1 1
///         2 2 2                   0 1 1                   1 0 0                                   1 1 1
///
/// In a rank's memory its parts are contiguous, in the order of the grid, each row-major, or column-major if
/// by_columns(). Distributions with the same blocks, owners and memory order are equal, however made: on one rank
/// rows() equals at(0).
///
/// Every rank holds the whole description. Factories throw Error for no ranks or no shares, a rank out of range, a
/// negative share or dimension, or more than 2^60 elements.
class Distribution {
 public:
  /// The whole matrix on one rank.
  static Distribution at(Rank root, MatrixShape shape, int ranks);
  /// A copy on every rank.
  static Distribution everywhere(MatrixShape shape, int ranks);
  /// Rank r has shares[r] consecutive rows.
  static Distribution rows(std::span<const std::int64_t> shares, std::int64_t columns);
  /// Rank r has shares[r] consecutive columns, column-major.
  static Distribution columns(std::int64_t rows, std::span<const std::int64_t> shares);
  /// Blocks in row-major order of the grid; owners[i] owns block i. A rank may own any number of blocks, also none.
  static Distribution blocks(std::span<const std::int64_t> row_shares, std::span<const std::int64_t> column_shares,
                             std::vector<Rank> owners, int ranks);
  /// The parts of a layout, one for each rank.
  explicit Distribution(const Layout& layout);

  MatrixShape shape() const { return grid_.shape(); }
  int ranks() const { return ranks_; }
  bool replicated() const { return replicated_; }
  /// Returns the owner of a matrix in one block; none for several blocks or a replicated matrix.
  std::optional<Rank> root() const;
  bool by_columns() const { return grid_.by_columns(); }

  /// Returns a rank's parts in the order of its memory, including empty parts at their positions. Throws
  /// std::out_of_range for a rank out of range, as all functions that take a rank.
  std::vector<Part> parts(Rank rank) const;
  /// Number of elements of a rank.
  std::int64_t elements(Rank rank) const;
  /// Largest number of elements of any rank: a buffer of this size suffices everywhere.
  std::int64_t most_elements() const;

  // The blocks, numbered in row-major order of the grid; one block if replicated.
  int blocks() const { return grid_.ranks(); }
  int grid_rows() const { return grid_.grid_rows(); }
  int grid_columns() const { return grid_.grid_columns(); }
  Part block(int number) const { return grid_.part_at(number); }
  /// Returns the owner of a block; `rank` itself if replicated.
  Rank owner(int number, Rank rank) const { return replicated_ ? rank : owners_[static_cast<std::size_t>(number)]; }
  /// Returns the blocks of a rank, ascending.
  std::span<const int> blocks_of(Rank rank) const;
  /// Returns the blocks that overlap a part of the matrix, ascending.
  std::vector<int> blocks_in(const Part& part) const;

  bool operator==(const Distribution&) const = default;

 private:
  Distribution(Layout grid, std::vector<Rank> owners, int ranks);

  Layout grid_;               // positions of the blocks, without owners
  std::vector<Rank> owners_;  // of each block; empty if replicated
  int ranks_ = 1;
  bool replicated_ = false;
  std::vector<int> by_owner_;          // the blocks of rank 0, then those of rank 1, ...
  std::vector<std::size_t> first_of_;  // start of each rank's blocks in by_owner_, and the end
};

}  // namespace tombolo
