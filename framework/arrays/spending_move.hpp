#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tombolo/framework/arrays/moved_blocks.hpp>
#include <tombolo/framework/arrays/redistribution.hpp>

namespace tombolo {

/// One rank's part of a redistribution that does not preserve the source array: the memories of both arrays alternate
/// as buffers, so no other memory is needed. Both have room() elements.
///
///     pack(from, to)              packs data for other ranks into `to`, and sets aside at its end the rank's own
///     sent() ... received()       the operation of the request, if any, from one memory into the other
///     unpack(from, to)            assembles the array
///     ends_in_source()            true if the result is in the memory of `from`: swap the names
///
///     by rows, 2 + 1 of A, 2 + 2 of B = A^T, rank 0
///
///         from    1 2 3 4 5 6 7 8                          9 10
///         to                        3 7 4 8 1 5 2 6                1 5 9 2 6 10
///                 filled            packed                 received        unpacked
///
/// Data in order is not packed, sent or unpacked; a view takes no time at all. Runs on one thread. Speed relative to a
/// memcpy of the rank's bytes (two cores of a shared Xeon, double, by rows, by columns and in blocks alike): packing a
/// matrix of 4096 on 1 or 2 ranks 1.2 to 1.4, of 8192 on 1 rank 0.76, on 2 ranks 0.8 to 0.87, on 3 to 8 ranks 1.1 to
/// 1.5; unpacking 0.8 to 1.4. Values above 1 come from large parts being written past the caches, which memcpy does
/// only from about 200 MB on.
class SpendingMove {
 public:
  SpendingMove(const Redistribution& moves, Rank rank);

  std::int64_t room() const { return room_; }
  bool is_view() const { return view_; }
  /// Elements moved within the rank before, or after, the operation; 0 if none.
  std::int64_t packed() const { return packs_ ? packed_elements_ : 0; }
  std::int64_t unpacked() const { return unpacks_ ? of_to_ : 0; }
  bool ends_in_source() const;

  /// Elements may have any size. `from` and `to` are the two memories.
  void pack(Bytes element, const std::byte* from, std::byte* to) const;
  const std::byte* sent(Bytes element, const std::byte* from, const std::byte* to) const;
  std::byte* received(std::byte* from, std::byte* to) const;
  void unpack(Bytes element, std::byte* from, std::byte* to) const;

 private:
  std::int64_t room_ = 0;
  std::int64_t of_to_ = 0;
  std::int64_t packed_elements_ = 0;
  bool view_ = false;
  bool in_one_buffer_ = false;  // true for a broadcast
  bool packs_ = false;
  bool unpacks_ = false;
  bool own_is_all_ = false;         // the rank's target array consists of its own data only
  std::int64_t packed_at_ = 0;      // in the memory of `to`
  std::int64_t aside_at_ = 0;       // in the memory of `to`
  std::vector<MovedBlock> packed_;  // in sending order
  std::vector<KeptBlock> aside_;    // in the order of `to`
  std::vector<PutBlock> put_;       // in the order of `to`
};

}  // namespace tombolo
