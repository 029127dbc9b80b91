#pragma once

// The sides of a call, its input and its output: the user's arguments, checked and described.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/interpose/arguments.hpp>
#include <tombolo/interpose/buffers.hpp>
#include <tombolo/interpose/communicator.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo::interpose {

/// A buffer as one part; MPI's buffers for input are const.
inline Part part(const void* address, std::int64_t count, MPI_Datatype type) {
  return {const_cast<void*>(address), count, type};
}

/// The blocks of a v-operation, by rank.
template <class Count, class Displacement>
std::vector<Part> parts(const void* address, const Count* counts, const Displacement* displacements, int ranks,
                        MPI_Datatype type) {
  std::vector<Part> all;
  if (type == MPI_DATATYPE_NULL) return all;  // without data
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  check_mpi(MPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
  for (int r = 0; r < ranks; ++r) {
    if (counts[r] == 0) continue;
    const MPI_Aint at = static_cast<MPI_Aint>(displacements[r]) * extent;
    all.push_back({static_cast<std::byte*>(const_cast<void*>(address)) + at, counts[r], type});
  }
  return all;
}

/// Bytes of each block.
template <class Count>
std::vector<std::int64_t> bytes_of(const Count* counts, int ranks, MPI_Datatype type) {
  const Bytes each = type == MPI_DATATYPE_NULL ? 0 : size_of(type);
  std::vector<std::int64_t> bytes;
  for (int r = 0; r < ranks; ++r) bytes.push_back(counts[r] * each);
  return bytes;
}

/// A user's buffer of `count` elements for each block: of one block, or of one for each rank.
template <class Count>
struct Side {
  const void* buffer;
  Count count;
  MPI_Datatype type;

  static constexpr Knowledge knowledge = Knowledge::everywhere;  ///< who knows all counts
  bool in_place() const { return buffer == MPI_IN_PLACE; }
  bool usable(int /*ranks*/ = 1) const { return is_usable(buffer, count, type); }
  /// Of a block.
  Bytes bytes() const { return part(buffer, count, type).bytes(); }
  const void* address(int block) const {
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    check_mpi(MPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
    return static_cast<const std::byte*>(buffer) + static_cast<MPI_Aint>(block) * static_cast<MPI_Aint>(count) * extent;
  }
  /// Whether the native library refuses the other side of the call as it is the block of that number of this side.
  bool refuses(const Side& other, int block) const {
    return other.count > 0 && other.count == count && other.type == type && refuses_alias(other.buffer, address(block));
  }
  /// The counts of all ranks as this rank knows them, which has `own` bytes; `all`: it knows all of them.
  Blocks blocks(const Communicator& c, bool /*all*/, Bytes own) const { return Blocks::equal(c.ranks(), own); }
  /// The buffer of that many blocks as plain bytes.
  PlainBytes plain(int blocks) const {
    return PlainBytes({part(buffer, static_cast<std::int64_t>(count) * blocks, type)});
  }
};

/// The same of blocks with counts and displacements, as v-operations have them.
template <class Count, class Displacement>
struct BlockedSide {
  const void* buffer;
  const Count* counts;
  const Displacement* places;
  MPI_Datatype type;

  static constexpr Knowledge knowledge = Knowledge::as_in_mpi;
  bool in_place() const { return buffer == MPI_IN_PLACE; }
  bool usable(int ranks) const { return is_usable(buffer, counts, places, ranks, type); }
  /// Blocks differ.
  static Bytes bytes() { return 0; }
  bool refuses(const Side<Count>& other, int block) const {
    if (other.count <= 0 || other.count != counts[block] || other.type != type) return false;
    const Side<Displacement> before{buffer, places[block], type};  // the displacement is in elements
    return refuses_alias(other.buffer, before.address(1));
  }
  /// The very same arguments. Blocks at other places of one array are fine.
  bool refuses(const BlockedSide& other) const {
    return counts == other.counts && type == other.type && refuses_alias(other.buffer, buffer);
  }
  Blocks blocks(const Communicator& c, bool all, Bytes own) const {
    if (all) return Blocks(bytes_of(counts, c.ranks(), type));
    std::vector<std::int64_t> known(static_cast<std::size_t>(c.ranks()), Blocks::unknown);
    known[static_cast<std::size_t>(c.rank())] = own;
    return Blocks(std::move(known));
  }
  PlainBytes plain(int ranks) const { return PlainBytes(parts(buffer, counts, places, ranks, type)); }
};

}  // namespace tombolo::interpose
