#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <tombolo/framework/arrays/redistribution.hpp>
#include <tombolo/framework/matrix/strided_copy.hpp>

namespace tombolo {

/// Whether a rank's source array is as before after a redistribution, or its memory is used as a buffer.
enum class Source { kept, spent };

/// One rank's memories in a redistribution. `packed` and `arrived` may be null if packed_room() and arrived_room() are
/// 0; `from` is written only if the source is spent.
struct MoveMemory {
  std::byte* from = nullptr;
  std::byte* to = nullptr;
  std::byte* packed = nullptr;
  std::byte* arrived = nullptr;
};

/// Where a rank's blocks are in the memory of its array: 0, one after the other, as in every Distribution; else as one
/// matrix of all rows and columns that the rank has, whose lines begin so many elements after each other, as
/// ScaLAPACK's local arrays are. The rank must have every element where one of its rows and one of its columns meet.
struct LineStrides {
  std::int64_t from = 0;
  std::int64_t to = 0;
};

/// A rectangle of elements to copy, and its place.
struct BlockCopy {
  Strided from;
  Strided to;
  bool turned = false;  ///< lines of `to` are columns of `from`
  bool own = false;     ///< stays on the rank, else received
  int group = 0;        ///< blocks of a group are side by side, with the same lines of the target array
};

/// One rank's part of a redistribution: what it packs before the collective operation, what it sends and receives, and
/// what it unpacks after. Data in order is not packed or unpacked; a view takes no time at all if the source is spent.
///
///     pack(memory)                   data for other ranks into a buffer, transposed if the memory order changes
///     sent(memory) ... received(memory)     the buffers of the operation of the request, if any
///     unpack(memory)                 assembles the target array
///
/// If the source is kept, packed and received data are in buffers of packed_room() and arrived_room() elements, and
/// data that stays on the rank is copied by unpack(). If it is spent, the memories of both arrays, of room() elements
/// each, alternate as buffers, so no other memory is needed: the rank's own data waits at the end of `to`, and the
/// result is in the memory of `from` if ends_in_source().
///
///     by rows, 2 + 1 of A, 2 + 2 of B = A^T, rank 0, the source spent
///
///         from    1 2 3 4 5 6 7 8                          9 10
///         to                        3 7 4 8 1 5 2 6                1 5 9 2 6 10
///                 filled            packed                 received        unpacked
///
/// Runs on one thread. Speed relative to a memcpy of the rank's bytes (two cores of a shared Xeon, double, by rows, by
/// columns and in blocks alike): packing a matrix of 4096 on 1 or 2 ranks 1.2 to 1.4, of 8192 on 1 rank 0.76, on 2
/// ranks 0.8 to 0.87, on 3 to 8 ranks 1.1 to 1.5; unpacking 0.8 to 1.4. Values above 1 come from large parts being
/// written past the caches, which memcpy does only from about 200 MB on.
class RankMove {
 public:
  /// Strides other than 0 are for a source that is kept, and a target that is not replicated.
  RankMove(const Redistribution& moves, Rank rank, Source source = Source::kept, LineStrides strides = {});

  /// Returns true if the rank packs before, or unpacks after, the operation; otherwise the array itself is the buffer.
  bool packs() const { return packs_; }
  bool unpacks() const { return unpacks_; }
  /// Returns true if the source array already is the target array, so that no copy is needed if the source is spent.
  bool is_view() const { return view_; }
  /// Returns the target's elements in the source array, if nothing is sent and they are one rectangle there, in the
  /// same memory order: a copy is not needed where lines of any stride will do.
  std::optional<Strided> part_of_source() const;

  /// Elements of each array's memory if the source is spent.
  std::int64_t room() const { return room_; }
  /// Elements of the buffers beside the arrays; 0 if the source is spent.
  std::int64_t packed_room() const { return packed_room_; }
  std::int64_t arrived_room() const { return arrived_room_; }
  /// Elements moved within the rank before, or after, the operation; 0 if none.
  std::int64_t packed() const { return packs_ ? packed_elements_ : 0; }
  std::int64_t unpacked() const { return unpacks_ ? of_to_ : 0; }
  bool ends_in_source() const;

  /// Elements may have any size; memories must not overlap. If the source is kept, pack() fills `packed` even if it
  /// need not, for callers whose source array is about to be overwritten.
  void pack(Bytes element, const MoveMemory& memory) const;
  const std::byte* sent(Bytes element, const MoveMemory& memory) const;
  std::byte* received(const MoveMemory& memory) const;
  void unpack(Bytes element, const MoveMemory& memory) const;

 private:
  void plan_kept(const Redistribution& moves, Rank rank);
  void plan_spent(const Redistribution& moves, Rank rank);
  void set_aside();
  void copy_own(Bytes element, const std::byte* from, std::byte* to, Writing how) const;

  Source source_;
  bool stays_ = false;  // there is no operation
  std::int64_t room_ = 0;
  std::int64_t of_to_ = 0;
  std::int64_t packed_elements_ = 0;
  std::int64_t packed_room_ = 0;
  std::int64_t arrived_room_ = 0;
  bool view_ = false;
  bool in_target_ = false;  // true for a broadcast: packed and received in the target array
  bool packs_ = false;
  bool unpacks_ = false;
  bool own_is_all_ = false;        // the rank's target array consists of its own data only
  std::int64_t packed_at_ = 0;     // if spent, in the memory of `to`
  std::int64_t aside_at_ = 0;      // if spent, in the memory of `to`
  std::vector<BlockCopy> packed_;  // into the send buffer, in sending order
  std::vector<BlockCopy> own_;     // what stays on the rank: into the target array, or set aside
  std::vector<BlockCopy> put_;     // into the target array, in the order of its memory
};

}  // namespace tombolo
