#pragma once

// The counts of collectives whose ranks send or receive different numbers of elements.

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <tombolo/units.hpp>

namespace tombolo {

/// Knowledge of a v-collective's counts at the start of the call.
enum class Knowledge {
  everywhere,  ///< every rank has all counts, e.g. if all ranks compute the same distribution
  as_in_mpi    ///< the root has all counts, other ranks their own (MPI_Scatterv, MPI_Gatherv, MPI_Alltoallv)
};

/// Thrown if a schedule is written with a count unknown to its rank.
class UnknownCount : public std::logic_error {
 public:
  /// The message names the block.
  explicit UnknownCount(int block);
};

/// Counts and offsets of consecutive blocks of elements: block i has count(i) elements and starts at element offset(i).
/// A rank may know only a part of the counts, as in MPI_Gatherv. An access to an unknown count throws UnknownCount, so
/// an algorithm that uses a count unknown to its rank fails its proof rather than a run.
///
///     Blocks b({3, 0, 5});   // b.offset(2) == 3, b.total() == 8
class Blocks {
 public:
  static constexpr std::int64_t unknown = -1;

  Blocks() = default;
  /// One count per block, or `unknown`. Throws Error for other negative counts and for a total above 2^60.
  explicit Blocks(std::vector<std::int64_t> counts);
  /// `blocks` blocks of `each` elements. Throws Error if `each` is negative or the total exceeds 2^60.
  static Blocks equal(int blocks, std::int64_t each);
  /// `total` elements in blocks as equal as possible; the first blocks get one element more.
  static Blocks shared_out(int blocks, std::int64_t total);

  /// Multiplies all counts, which must be known, by `factor`. Constant time: the table is shared. Throws Error for a
  /// negative factor or a total above 2^60; UnknownCount if a count is unknown.
  Blocks times(std::int64_t factor) const;

  int size() const { return size_; }
  /// True if the count of the block is known to this rank.
  bool known(int block) const { return entry(block) != unknown; }
  /// True if all counts are known and equal. Constant time for blocks of equal().
  bool all_equal() const;
  bool all_known() const { return !table_ || table_->offsets.back() != unknown; }
  /// Elements in the block. Throws UnknownCount if unknown.
  std::int64_t count(int block) const;
  /// Elements before the block. Throws UnknownCount unless all counts before the block are known.
  std::int64_t offset(int block) const;
  std::int64_t total() const { return offset(size_); }

  bool operator==(const Blocks& other) const;

 private:
  struct Table {
    std::vector<std::int64_t> counts;
    std::vector<std::int64_t> offsets;  // one entry more than counts
  };
  std::int64_t entry(int block) const;  // the count, or `unknown`

  int size_ = 0;
  std::int64_t each_ = 0;               // the count of every block; with a table: factor of its counts
  std::shared_ptr<const Table> table_;  // shared: requests are copied often
};

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
