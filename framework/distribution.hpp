#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <tombolo/framework/matrix_layout.hpp>
#include <tombolo/framework/npy_header.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Which elements of a matrix each rank holds; a vector is a matrix of one column. The matrix is cut into the blocks of
/// a grid, of any heights and widths, also 0; each block has an owner, or every rank has a copy of everything.
///
///     rows({2, 0, 1}, 3)     columns(3, {1, 2})     blocks({2, 1}, {1, 2}, {0, 1, 1, 0}, 2)     at(1, {3, 3}, 2)
///
///         0 0 0                   0 1 1                   0 1 1                                   1 1 1
///         0 0 0                   0 1 1                   0 1 1                                   1 1 1
///         2 2 2                   0 1 1                   1 0 0                                   1 1 1
///
/// In a rank's memory its parts lie one behind the other, in the order of the grid, each row after row; by_columns()
/// each column after column. Distributions of the same blocks, owners and order in memory are equal, however they were
/// made: on one rank rows() is at(0).
///
/// All ranks know all of it. What makes one throws Error for no ranks or no shares, a rank that there is not, a
/// negative share or dimension, more than 2^60 elements.
class Distribution {
 public:
  /// All on one rank.
  static Distribution at(Rank root, MatrixShape shape, int ranks);
  /// A copy on every rank.
  static Distribution everywhere(MatrixShape shape, int ranks);
  /// Rank r has shares[r] consecutive rows.
  static Distribution rows(std::span<const std::int64_t> shares, std::int64_t columns);
  /// Rank r has shares[r] consecutive columns, column after column.
  static Distribution columns(std::int64_t rows, std::span<const std::int64_t> shares);
  /// Row of blocks after row of blocks; owners[i] has block i. A rank may own any number of blocks, also none.
  static Distribution blocks(std::span<const std::int64_t> row_shares, std::span<const std::int64_t> column_shares,
                             std::vector<Rank> owners, int ranks);
  /// The parts of a layout, one for each rank.
  explicit Distribution(const Layout& layout);

  MatrixShape shape() const { return grid_.shape(); }
  int ranks() const { return ranks_; }
  bool replicated() const { return replicated_; }
  /// Whose all of it is in one block; none where there are more blocks, or copies.
  std::optional<Rank> root() const;
  bool by_columns() const { return grid_.by_columns(); }

  /// What a rank has, in the order in which it lies in its memory; also empty parts, which say where they would be.
  /// Throws std::out_of_range for a rank that there is not, as all that asks for one.
  std::vector<Part> parts(Rank rank) const;
  /// The sum of its parts.
  std::int64_t elements(Rank rank) const;
  /// The most that any rank has: room for it is enough everywhere.
  std::int64_t most_elements() const;

  // The blocks, by number, row of blocks after row of blocks; one where it is replicated.
  int blocks() const { return grid_.ranks(); }
  int grid_rows() const { return grid_.grid_rows(); }
  int grid_columns() const { return grid_.grid_columns(); }
  Part block(int number) const { return grid_.part_at(number); }
  /// In each rank's own view: where it is replicated, `rank` itself.
  Rank owner(int number, Rank rank) const { return replicated_ ? rank : owners_[static_cast<std::size_t>(number)]; }
  /// Those of a rank, ascending.
  std::span<const int> blocks_of(Rank rank) const;
  /// Those that have elements of this part of the matrix, ascending.
  std::vector<int> blocks_in(const Part& part) const;

  bool operator==(const Distribution&) const = default;

 private:
  Distribution(Layout grid, std::vector<Rank> owners, int ranks);

  Layout grid_;               // where blocks are, not whose
  std::vector<Rank> owners_;  // of each block; empty where it is replicated
  int ranks_ = 1;
  bool replicated_ = false;
  std::vector<int> by_owner_;          // the blocks of rank 0, then those of rank 1, ...
  std::vector<std::size_t> first_of_;  // where those of each rank begin, and the last ones end
};

}  // namespace tombolo
