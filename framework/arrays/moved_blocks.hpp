#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/framework/arrays/distribution.hpp>
#include <tombolo/framework/matrix/strided_copy.hpp>

namespace tombolo {

/// A matrix in one distribution, and the same matrix or its transpose in another. The caller ensures that shapes and
/// numbers of ranks agree.
struct Move {
  Distribution from;
  Distribution to;
  bool transposed = false;

  /// Returns a block of `to` in rows and columns of `from`.
  Part target(int number) const { return transposed ? to.block(number).transposed() : to.block(number); }
  /// Returns true if neighbours in the memory of one distribution are far apart in the memory of the other.
  bool turns() const;
};

/// The intersection of a block of `from` and a block of `to`; a rank has one of the blocks and `peer` the other.
struct Overlap {
  Rank peer = 0;
  int from = 0;  ///< block number in `from`
  int to = 0;
  Part part;  ///< in rows and columns of `from`
};

/// Returns the overlaps that a rank sends, or receives, including those with itself. Ordered by peer, then by block of
/// `to`, then of `from`, so that both ends of a message list its buffer ranges in the same order. Takes O(n log n) time
/// for n overlaps. A replicated `from` is read from the rank's own copy.
std::vector<Overlap> sent_overlaps(const Move& move, Rank rank);
std::vector<Overlap> received_overlaps(const Move& move, Rank rank);

/// A rectangle of an array and its packed copy in a buffer: contiguous there from `at` on, in the memory order of `to`.
struct MovedBlock {
  Strided memory;       ///< in the array
  std::int64_t at = 0;  ///< in the buffer
  bool turned = false;  ///< lines in the buffer are transposed
  int group = 0;        ///< blocks of a group are side by side, with the same lines of the array

  Strided in_buffer() const {
    return turned ? Strided{at, memory.width, memory.lines, memory.lines}
                  : Strided{at, memory.lines, memory.width, memory.width};
  }
};

/// Returns the blocks of the send buffer, in its order, or those of the receive buffer, in the order of the array;
/// neighbours that make a larger rectangle are joined. `without_own` leaves out blocks that stay on the rank.
std::vector<MovedBlock> packed_blocks(const Move& move, Rank rank, bool without_own);
std::vector<MovedBlock> unpacked_blocks(const Move& move, Rank rank, bool without_own);

/// A block that stays on the rank, copied from one array to the other.
struct KeptBlock {
  Strided from;
  Strided to;
  bool turned = false;
};
std::vector<KeptBlock> kept_blocks(const Move& move, Rank rank);

/// Returns the blocks that stay on the rank, copied to a separate buffer so that their memory in both arrays can be
/// overwritten: `to` is in this buffer, contiguous, in the memory order of `to`.
std::vector<KeptBlock> blocks_set_aside(const Move& move, Rank rank);

/// A rectangle of the target array, copied from the blocks set aside or from the received data.
struct PutBlock {
  Strided to;
  Strided from;
  bool aside = false;
  int group = 0;  ///< see MovedBlock::group
};
/// Returns all blocks of a rank's array in the order of its memory, if groups are processed line by line: then data set
/// aside at the end of the target memory is read before the fill overwrites the data.
std::vector<PutBlock> put_blocks(const Move& move, Rank rank, bool own_aside);

}  // namespace tombolo
