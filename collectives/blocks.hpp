#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Thrown when a schedule is written with a count that the rank it is for has no way of knowing.
class UnknownCount : public std::logic_error {
 public:
  explicit UnknownCount(int block);
};

/// Consecutive blocks of elements: block i has count(i) elements and begins offset(i) elements into the vector.
/// A rank may know only some of the counts, as in MPI_Gatherv; asking for another one throws UnknownCount, so that an
/// algorithm that uses what its rank cannot know fails its proof instead of a run.
///
///     Blocks b({3, 0, 5});   // b.offset(2) == 3, b.total() == 8
class Blocks {
 public:
  static constexpr std::int64_t unknown = -1;

  Blocks() = default;
  /// One count per block, or `unknown`. Throws Error for other negative counts and for a total beyond 2^60.
  explicit Blocks(std::vector<std::int64_t> counts);
  static Blocks equal(int blocks, std::int64_t each);

  int size() const { return size_; }
  bool known(int block) const;
  bool all_known() const { return !table_ || table_->offsets.back() != unknown; }
  std::int64_t count(int block) const;
  /// Elements before the block; known only where all the counts before it are.
  std::int64_t offset(int block) const;
  std::int64_t total() const { return offset(size_); }

  bool operator==(const Blocks& other) const;

 private:
  struct Table {
    std::vector<std::int64_t> counts;
    std::vector<std::int64_t> offsets;  // one more than counts
  };
  int size_ = 0;
  std::int64_t each_ = 0;               // where there is no table
  std::shared_ptr<const Table> table_;  // shared: requests are copied often
};

/// Who sends how much to whom in a total exchange. sends(r) and receives(r) are rank r's row and column of the matrix
/// of counts. A rank of a real run holds its own row and column only; nobody gathers the matrix.
class Exchange {
 public:
  Exchange() = default;
  static Exchange equal(int ranks, std::int64_t each);
  /// rows[i][j] elements go from i to j. For planning without ranks, and for proofs.
  static Exchange matrix(const std::vector<std::vector<std::int64_t>>& rows);
  static Exchange of_rank(Rank rank, Blocks sends, Blocks receives);

  bool knows(Rank rank) const { return equal_ || only_ == all || only_ == rank; }
  const Blocks& sends(Rank rank) const;
  const Blocks& receives(Rank rank) const;
  Exchange seen_by(Rank rank) const { return of_rank(rank, sends(rank), receives(rank)); }

  bool operator==(const Exchange& other) const;

 private:
  struct Table {
    std::vector<Blocks> sends;
    std::vector<Blocks> receives;
  };
  static constexpr Rank all = -1;
  const Blocks& pick(const std::vector<Blocks>& from, Rank rank) const;

  Rank only_ = all;  // the rank whose row and column these are, or all
  bool equal_ = false;
  std::shared_ptr<const Table> table_;
};

}  // namespace tombolo
