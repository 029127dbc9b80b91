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
  /// Says which block's count it was.
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
  /// So many blocks of so many elements each. Throws Error as above.
  static Blocks equal(int blocks, std::int64_t each);
  /// So many elements in blocks as equal as elements allow, the first ones getting one more.
  static Blocks shared_out(int blocks, std::int64_t total);

  /// Each block so many times as long; all must be known. Takes no time: the counts are shared. Throws Error for a
  /// total beyond 2^60.
  Blocks times(std::int64_t factor) const;

  int size() const { return size_; }
  /// Whether this rank knows the count of the block.
  bool known(int block) const { return entry(block) != unknown; }
  bool all_known() const { return !table_ || table_->offsets.back() != unknown; }
  /// Elements in the block.
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
  std::int64_t entry(int block) const;  // the count, or `unknown`

  int size_ = 0;
  std::int64_t each_ = 0;               // the count of every block; where there is a table, its factor
  std::shared_ptr<const Table> table_;  // shared: requests are copied often
};

}  // namespace tombolo
