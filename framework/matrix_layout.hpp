#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/framework/npy_header.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// A rectangle of a matrix, perhaps empty.
struct Part {
  std::int64_t first_row = 0;
  std::int64_t rows = 0;
  std::int64_t first_column = 0;
  std::int64_t columns = 0;

  std::int64_t elements() const { return rows * columns; }
  /// Where these elements are in the transpose.
  Part transposed() const { return {first_column, columns, first_row, rows}; }
  bool operator==(const Part&) const = default;
};

/// What both have; where they have nothing in common, no elements.
Part overlap(const Part& one, const Part& other);

/// Which part of a matrix each rank has. The parts are the cells of a grid: bands of rows of any heights, cut into
/// columns of any widths. Place (i, j) of a p x q grid, counted i * q + j, is rank i * q + j's, or whose placed() says.
///
///     Layout::rows({2, 1}, 4)         Layout::columns(3, {3, 1})     Layout::blocks({2, 1}, {3, 1})
///
///         0 0 0 0                         0 0 0 1                        0 0 0 1
///         0 0 0 0                         0 0 0 1                        0 0 0 1
///         1 1 1 1                         0 0 0 1                        2 2 2 3
///
/// A rank holds its part in one piece: row after row, but in a layout by columns column after column. So a matrix by
/// rows and its transpose by columns, of the same shares, are the same memory.
///
/// All ranks know all of it. Shares may be 0. The functions that make one throw Error where there is no share, a share
/// or dimension is negative, or a dimension or the number of elements passes 2^60.
class Layout {
 public:
  /// By rows, by columns, or in blocks of a grid.
  enum class Kind { rows, columns, blocks };

  /// One rank that has nothing.
  Layout() : Layout(Kind::rows, std::vector<std::int64_t>{0}, std::vector<std::int64_t>{0}) {}
  /// Band r of row_shares[r] whole rows is rank r's.
  static Layout rows(std::span<const std::int64_t> row_shares, std::int64_t columns);
  /// Rank r has column_shares[r] whole columns.
  static Layout columns(std::int64_t rows, std::span<const std::int64_t> column_shares);
  /// A grid of bands of rows, each cut into the same columns.
  static Layout blocks(std::span<const std::int64_t> row_shares, std::span<const std::int64_t> column_shares);
  /// The same parts: owners[place] has that of each place. Throws Error if a rank is missing or named twice.
  Layout placed(std::vector<Rank> owners) const;

  Kind kind() const { return kind_; }
  /// Whether ranks hold their parts column after column.
  bool by_columns() const { return kind_ == Kind::columns; }
  int ranks() const { return grid_rows() * grid_columns(); }
  MatrixShape shape() const { return {first_rows_.back(), first_columns_.back()}; }
  int grid_rows() const { return static_cast<int>(first_rows_.size()) - 1; }
  int grid_columns() const { return static_cast<int>(first_columns_.size()) - 1; }

  /// The two throw std::out_of_range for a rank or place that there is not.
  Rank owner(int place) const;
  /// Where in the grid a rank's part is.
  int place(Rank rank) const;
  /// The part at a place; throws as the two above.
  Part part_at(int place) const;
  /// The part that a rank has.
  Part part(Rank rank) const { return part_at(place(rank)); }

  bool operator==(const Layout&) const = default;

 private:
  Layout(Kind kind, std::span<const std::int64_t> row_shares, std::span<const std::int64_t> column_shares);

  Kind kind_;
  std::vector<std::int64_t> first_rows_;  // where each band begins, and where the last one ends
  std::vector<std::int64_t> first_columns_;
  std::vector<Rank> owners_;  // by place; empty where each is its own
  std::vector<int> places_;   // by rank
};

}  // namespace tombolo
