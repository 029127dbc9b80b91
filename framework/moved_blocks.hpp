#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/framework/distribution.hpp>
#include <tombolo/framework/strided_copy.hpp>

namespace tombolo {

/// A matrix in one distribution, and the same matrix or its transpose in another one. Of the two shapes' and numbers of
/// ranks' agreeing the caller has made sure.
struct Move {
  Distribution from;
  Distribution to;
  bool transposed = false;

  /// A block of `to` among the rows and columns of `from`.
  Part target(int number) const { return transposed ? to.block(number).transposed() : to.block(number); }
  /// Whether elements that are neighbours in the memory of the one are far apart in that of the other.
  bool turns() const;
};

/// What a block of `from` and one of `to` have in common, of which a rank has the one and `peer` the other.
struct Overlap {
  Rank peer = 0;
  int from = 0;  ///< number of the block
  int to = 0;
  Part part;  ///< in rows and columns of `from`
};

/// What a rank has that others, or itself, are to have; and what it is to have that others, or itself, have. Ordered by
/// peer, then by block of `to`, then of `from`: so that a message's two ends list its pieces alike. Takes time in
/// proportion to what is listed, times a logarithm. Copies are taken from the rank itself.
std::vector<Overlap> sent_overlaps(const Move& move, Rank rank);
std::vector<Overlap> received_overlaps(const Move& move, Rank rank);

/// A rectangle between an array and a buffer where it is packed: in one piece there, from `at` on, in the order of the
/// memory of `to`.
struct MovedBlock {
  Strided memory;       ///< in the array
  std::int64_t at = 0;  ///< in the buffer
  bool turned = false;  ///< whether lines in the buffer stand across the array's
  int group = 0;        ///< blocks of a group are beside each other: they have the same lines of the array

  Strided in_buffer() const {
    return turned ? Strided{at, memory.width, memory.lines, memory.lines}
                  : Strided{at, memory.lines, memory.width, memory.width};
  }
};

/// What goes into the buffer that is sent, in its order, and what is in the one that is received, in the order of the
/// array; neighbours that make a larger rectangle are joined. Without what stays on the rank if `without_own`.
std::vector<MovedBlock> packed_blocks(const Move& move, Rank rank, bool without_own);
std::vector<MovedBlock> unpacked_blocks(const Move& move, Rank rank, bool without_own);

/// What stays on the rank: from one array into the other.
struct KeptBlock {
  Strided from;
  Strided to;
  bool turned = false;
};
std::vector<KeptBlock> kept_blocks(const Move& move, Rank rank);

/// The same set aside, so that its place in either array may be overwritten: `to` is in a buffer of its own, in which
/// elements stand one behind the other in the order of the memory of `to`.
std::vector<KeptBlock> blocks_set_aside(const Move& move, Rank rank);

/// A rectangle that is put into the array, from where it was set aside or from what was received.
struct PutBlock {
  Strided to;
  Strided from;
  bool aside = false;
  int group = 0;  ///< as of MovedBlock
};
/// All of a rank's array in the order of its memory, if groups are gone through line by line: then what was set aside
/// at the end of the very memory that is filled is read before it is overwritten.
std::vector<PutBlock> put_blocks(const Move& move, Rank rank, bool own_aside);

}  // namespace tombolo
