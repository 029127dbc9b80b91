#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <tombolo/collectives/request/blocks.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Element counts of an alltoallv: sends(r) and receives(r) are row and column r of the count matrix. Unless the counts
/// are equal or a product, each rank of a real run holds its own row and column only; the matrix is never gathered.
class AlltoallCounts {
 public:
  AlltoallCounts() = default;
  /// Every rank sends `each` elements to every rank, itself included.
  static AlltoallCounts equal(int ranks, std::int64_t each);
  /// Rank i sends rows.count(i) * columns.count(j) elements to rank j, e.g. to turn a matrix distributed by rows into
  /// one distributed by columns. The count matrix is not built. Throws Error if a rank sends or receives more than 2^60
  /// elements.
  ///
  ///     AlltoallCounts::product(Blocks({2, 1}), Blocks({3, 0}))     rank 0 sends {6, 0}, rank 1 sends {3, 0}
  static AlltoallCounts product(Blocks rows, Blocks columns);
  /// Rank i sends rows[i][j] elements to rank j. For planning without MPI and for proofs. Throws Error if the matrix is
  /// not square.
  static AlltoallCounts matrix(const std::vector<std::vector<std::int64_t>>& rows);
  /// Counts known to one rank: its sends to each rank and its receives from each rank.
  static AlltoallCounts of_rank(Rank rank, Blocks sends, Blocks receives);

  /// True if made by equal(), a fact known to all ranks.
  bool is_equal() const { return form_ == Form::equal; }
  /// True if the counts of `rank` are known.
  bool knows(Rank rank) const { return form_ != Form::of_rank || only_ == rank; }
  /// A rank whose counts are known.
  Rank known_rank() const { return form_ == Form::of_rank ? only_ : 0; }
  /// Send counts of `rank` by destination; the blocks are contiguous in memory. Throws UnknownCount if unknown.
  Blocks sends(Rank rank) const;
  /// Receive counts of `rank` by source; the blocks are contiguous in memory. Throws UnknownCount if unknown.
  Blocks receives(Rank rank) const;
  /// Row and column factors of the counts; empty if the counts are neither equal nor a product.
  std::optional<std::pair<Blocks, Blocks>> factors() const;
  /// Largest count of any pair of ranks; 0 if not all counts are known.
  std::int64_t largest() const;
  /// Counts known to `rank` if each rank knows its own counts only.
  AlltoallCounts seen_by(Rank rank) const { return of_rank(rank, sends(rank), receives(rank)); }

  bool operator==(const AlltoallCounts& other) const;

 private:
  enum class Form { equal, product, matrix, of_rank };
  /// Form::matrix: all rows and columns. Form::product: the two factors. Otherwise one row and one column.
  struct Table {
    std::vector<Blocks> sends;
    std::vector<Blocks> receives;
  };
  AlltoallCounts(Form form, std::vector<Blocks> sends, std::vector<Blocks> receives);
  std::size_t place(Rank rank) const;

  Form form_ = Form::equal;
  Rank only_ = -1;  // Form::of_rank: the rank of the one row and column
  std::shared_ptr<const Table> table_;
};

}  // namespace tombolo
