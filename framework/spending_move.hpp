#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tombolo/framework/redistribution.hpp>

namespace tombolo {

/// What one rank does to carry a redistribution out where the array that is moved need not be kept: its memory and that
/// of the other array take turns, so that nothing else is needed. Both have room() elements.
///
///     pack(from, to)              puts into `to` what goes to other ranks, and sets aside at its end what stays
///     sent() ... received()       the operation of the request, if there is one, from the one memory into the other
///     unpack(from, to)            puts the array together
///     ends_in_source()            whether it lies in the memory of `from` then: names are to change places
///
///     by rows, 2 + 1 of A, 2 + 2 of B = A^T, rank 0
///
///         from    1 2 3 4 5 6 7 8                          9 10
///         to                        3 7 4 8 1 5 2 6                1 5 9 2 6 10
///                 filled            packed                 received        unpacked
///
/// What is in order already is not packed, sent or unpacked; a view takes nothing at all. On one thread. Speed against
/// a memcpy of as many bytes as the rank has (two cores of a shared Xeon, double, by rows, by columns and in blocks
/// alike): packing a matrix of 4096 on 1 or 2 ranks 1.2 to 1.4, of 8192 on 1 rank 0.76, on 2 ranks 0.8 to 0.87, on 3 to
/// 8 ranks 1.1 to 1.5; unpacking 0.8 to 1.4. Above 1 it is because large parts are written past the caches, which
/// memcpy only does from some 200 MB on.
class SpendingMove {
 public:
  SpendingMove(const Redistribution& moves, Rank rank);

  std::int64_t room() const { return room_; }
  bool is_view() const { return view_; }
  /// Elements that are moved within the rank before and after; 0 where nothing is.
  std::int64_t packed() const { return packs_ ? packed_elements_ : 0; }
  std::int64_t unpacked() const { return unpacks_ ? of_to_ : 0; }
  bool ends_in_source() const;

  /// Elements of any size. `from` and `to` are the two memories.
  void pack(Bytes element, const std::byte* from, std::byte* to) const;
  const std::byte* sent(Bytes element, const std::byte* from, const std::byte* to) const;
  std::byte* received(std::byte* from, std::byte* to) const;
  void unpack(Bytes element, std::byte* from, std::byte* to) const;

 private:
  std::int64_t room_ = 0;
  std::int64_t of_to_ = 0;
  std::int64_t packed_elements_ = 0;
  bool view_ = false;
  bool in_one_buffer_ = false;  // a broadcast
  bool packs_ = false;
  bool unpacks_ = false;
  bool own_is_all_ = false;         // that the rank is to have
  std::int64_t packed_at_ = 0;      // in the memory of `to`
  std::int64_t aside_at_ = 0;       // there too
  std::vector<MovedBlock> packed_;  // in the order in which they are sent
  std::vector<KeptBlock> aside_;    // in the order of `to`
  std::vector<PutBlock> put_;       // likewise
};

}  // namespace tombolo
