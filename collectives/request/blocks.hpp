#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

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

}  // namespace tombolo
