#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/framework/part.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// One part of a matrix for each rank. The parts are the cells of a grid: bands of rows of any heights, cut into
/// columns of any widths. The owner of cell (i, j) of a p x q grid, number i * q + j, is the rank of that number, or
/// the owner set by placed().
///
///     Layout::rows({2, 1}, 4)         Layout::columns(3, {3, 1})     Layout::blocks({2, 1}, {3, 1})
///
///         0 0 0 0                         0 0 0 1                        0 0 0 1
///         0 0 0 0                         0 0 0 1                        0 0 0 1
///         1 1 1 1                         0 0 0 1                        2 2 2 3
///
/// A rank's part is contiguous in memory: row-major, but column-major in a layout by columns. So a matrix by rows and
/// its transpose by columns, with the same shares, are the same memory.
///
/// Every rank holds the whole layout. Shares may be 0. Factories throw Error if there is no share, a share or dimension
/// is negative, or a dimension or the number of elements exceeds 2^60.
class Layout {
 public:
  /// The kind of division: by rows, by columns, or in blocks of a grid.
  enum class Kind { rows, columns, blocks };

  /// A layout of one rank without elements.
  Layout() : Layout(Kind::rows, std::vector<std::int64_t>{0}, std::vector<std::int64_t>{0}) {}
  /// Rank r has row_shares[r] whole rows.
  static Layout rows(std::span<const std::int64_t> row_shares, std::int64_t columns);
  /// Rank r has column_shares[r] whole columns.
  static Layout columns(std::int64_t rows, std::span<const std::int64_t> column_shares);
  /// A grid of bands of rows, all cut into the same columns.
  static Layout blocks(std::span<const std::int64_t> row_shares, std::span<const std::int64_t> column_shares);
  /// Returns the same parts with other owners: owners[place] has the cell of that number. Throws Error if a rank is
  /// missing or named twice.
  Layout placed(std::vector<Rank> owners) const;

  Kind kind() const { return kind_; }
  /// Returns true if parts are column-major in memory.
  bool by_columns() const { return kind_ == Kind::columns; }
  int ranks() const { return grid_rows() * grid_columns(); }
  MatrixShape shape() const { return {first_rows_.back(), first_columns_.back()}; }
  int grid_rows() const { return static_cast<int>(first_rows_.size()) - 1; }
  int grid_columns() const { return static_cast<int>(first_columns_.size()) - 1; }

  /// Returns the owner of a cell. Throws std::out_of_range for a cell out of range.
  Rank owner(int place) const;
  /// Returns the cell of a rank. Throws std::out_of_range for a rank out of range.
  int place(Rank rank) const;
  /// Returns the part in a cell. Throws as owner().
  Part part_at(int place) const;
  /// Returns the part of a rank.
  Part part(Rank rank) const { return part_at(place(rank)); }

  bool operator==(const Layout&) const = default;

 private:
  Layout(Kind kind, std::span<const std::int64_t> row_shares, std::span<const std::int64_t> column_shares);

  Kind kind_;
  std::vector<std::int64_t> first_rows_;  // first row of each band, and the end
  std::vector<std::int64_t> first_columns_;
  std::vector<Rank> owners_;  // by cell; empty if cell i belongs to rank i
  std::vector<int> places_;   // by rank
};

}  // namespace tombolo
