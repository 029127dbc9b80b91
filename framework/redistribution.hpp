#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <tombolo/collectives/operation.hpp>
#include <tombolo/collectives/request.hpp>
#include <tombolo/framework/moved_blocks.hpp>

namespace tombolo {

/// How a matrix in one distribution becomes the same matrix, or its transpose, in another one: with which collective
/// operation, and what has to be put in order before and after. On each rank:
///
///     packed   = packs(rank)   ? pack(from) : from       the buffer that is sent
///     received = unpacks(rank) ? a buffer : to           the operation of request(rank) fills it, if there is one
///     unpack(from, received, to)                         if unpacks(rank); also copies what stays on the rank
///
/// Of a broadcast there is one buffer, `to`, into which the root packs. What stays on its rank is not sent where
/// anything has to be put in order; where nothing has, bands of rows to other bands of rows say, arrays are sent and
/// received as they are. From copies nothing is sent at all.
///
/// All ranks make the same, and know all of it.
class Redistribution {
 public:
  /// Throws Error where shapes do not match, or numbers of ranks.
  Redistribution(Distribution from, Distribution to, bool transposed = false);

  const Distribution& from() const { return move_.from; }
  const Distribution& to() const { return move_.to; }
  bool transposed() const { return move_.transposed; }
  int ranks() const { return from().ranks(); }
  const Move& ends() const { return move_; }

  /// bcast, scatterv, gatherv, allgatherv or alltoallv; none where nothing leaves its rank.
  std::optional<Operation> operation() const { return operation_; }
  /// What has to be asked of the collectives, as `rank` knows it. Counts are elements, of so many bytes. Of an exchange
  /// all ranks know all counts where those are a product or there are up to most_in_matrix ranks; else each its own, as
  /// where knowledge as_in_mpi is asked for: that takes time in proportion to the ranks, and no plan need be chosen.
  std::optional<Request> request(Rank rank, Bytes element, Knowledge knowledge = Knowledge::everywhere) const;
  static constexpr int most_in_matrix = 256;

  /// Whether bands go to other bands in the same order, as where shares change in mid-run. Each rank exchanges with few
  /// others then, and there is no better plan than doing it at once: request(rank, element, as_in_mpi) will do.
  bool in_bands() const { return operation_ == Operation::alltoallv && in_order_; }

  /// Whether memory has to be put in order before or after; where not, the array itself is sent, or received into.
  bool packs(Rank rank) const;
  bool unpacks(Rank rank) const;
  /// Elements in the packed and in the received buffer. Both of a broadcast are the root's whole.
  std::int64_t sends(Rank rank) const;
  std::int64_t receives(Rank rank) const;
  /// Elements that unpack() takes from the array.
  std::int64_t keeps(Rank rank) const;
  /// Whether the array as it is, is the one that is to be: then it need not even be copied.
  bool is_view(Rank rank) const;
  /// Whether it is so on every rank.
  bool is_view() const;
  /// Elements whose rank stays the same.
  std::int64_t staying() const;

  /// packed[0, sends(rank)) from the array, elements of any size. Nothing may overlap.
  void pack(Rank rank, Bytes element, const std::byte* from, std::byte* packed) const;
  /// The array from received[0, receives(rank)) and, what stays on the rank, from the array that was.
  void unpack(Rank rank, Bytes element, const std::byte* from, const std::byte* received, std::byte* to) const;

 private:
  static constexpr int most_keeping = 64;  // ranks; above, a block for oneself is little, and products are worth more

  bool stays() const;
  bool is_product() const;
  Exchange exchange(Rank rank, Knowledge knowledge) const;
  std::vector<std::int64_t> counts_to(Rank rank) const;

  Move move_;
  std::optional<Operation> operation_;
  Rank root_ = 0;
  bool in_order_ = false;  // nothing is to be packed or unpacked on any rank
  bool without_own_ = false;
};

}  // namespace tombolo
