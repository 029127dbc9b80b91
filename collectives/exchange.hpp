#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <tombolo/collectives/blocks.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Who sends how much to whom in a total exchange. sends(r) and receives(r) are rank r's row and column of the matrix
/// of counts. Where counts are not equal or a product, a rank of a real run holds its own row and column only; nobody
/// gathers the matrix.
class Exchange {
 public:
  Exchange() = default;
  /// `each` elements go from every rank to every rank, itself included.
  static Exchange equal(int ranks, std::int64_t each);
  /// rows.count(i) * columns.count(j) elements go from i to j, as where a matrix in slices of rows becomes one in
  /// slices of columns. No matrix of counts is made. Throws Error where a rank sends or receives more than 2^60.
  ///
  ///     Exchange::product(Blocks({2, 1}), Blocks({3, 0}))     rank 0 sends {6, 0}, rank 1 sends {3, 0}
  static Exchange product(Blocks rows, Blocks columns);
  /// rows[i][j] elements go from i to j. For planning without ranks, and for proofs.
  static Exchange matrix(const std::vector<std::vector<std::int64_t>>& rows);
  /// What one rank knows: how much it sends to each rank, and how much it receives from each.
  static Exchange of_rank(Rank rank, Blocks sends, Blocks receives);

  /// Whether it was made by equal(), which all ranks can tell.
  bool is_equal() const { return form_ == Form::equal; }
  /// Whether the counts of this rank are known.
  bool knows(Rank rank) const { return form_ != Form::of_rank || only_ == rank; }
  /// The counts of what a rank sends, by the rank it goes to; in memory one block after the other.
  Blocks sends(Rank rank) const;
  /// And of what it receives, by the rank it comes from.
  Blocks receives(Rank rank) const;
  /// The rows and columns of which every count is a product; none where counts are no product, or not all are known.
  std::optional<std::pair<Blocks, Blocks>> factors() const;
  /// No count is larger. 0 where all of them are not known.
  std::int64_t largest() const;
  /// What is left of it where a rank knows its own counts only.
  Exchange seen_by(Rank rank) const { return of_rank(rank, sends(rank), receives(rank)); }

  bool operator==(const Exchange& other) const;

 private:
  enum class Form { equal, product, matrix, of_rank };
  /// Of the matrix: every row and column. Of a product: its factors. Otherwise the one row and column there are.
  struct Table {
    std::vector<Blocks> sends;
    std::vector<Blocks> receives;
  };
  Exchange(Form form, std::vector<Blocks> sends, std::vector<Blocks> receives);
  std::size_t place(Rank rank) const;

  Form form_ = Form::equal;
  Rank only_ = -1;  // the rank whose row and column these are
  std::shared_ptr<const Table> table_;
};

}  // namespace tombolo
