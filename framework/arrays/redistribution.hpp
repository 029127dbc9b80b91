#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <tombolo/collectives/request/operation.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/framework/arrays/moved_blocks.hpp>

namespace tombolo {

/// The redistribution of a matrix into another distribution of the same matrix or its transpose: the collective
/// operation, and the packing before and unpacking after. On each rank:
///
///     packed   = packs(rank)   ? pack(from) : from       the buffer that is sent
///     received = unpacks(rank) ? a buffer : to           the operation of request(rank) fills it, if there is one
///     unpack(from, received, to)                         if unpacks(rank); also copies what stays on the rank
///
/// A broadcast has one buffer, `to`, into which the root packs. If anything is packed or unpacked, data that stays on
/// its rank is not sent; otherwise, as between bands of rows, arrays are sent and received directly. From a replicated
/// matrix nothing is sent.
///
/// All ranks make the same Redistribution and hold all of its description.
class Redistribution {
 public:
  /// Throws Error if shapes or numbers of ranks do not match.
  Redistribution(Distribution from, Distribution to, bool transposed = false);

  const Distribution& from() const { return move_.from; }
  const Distribution& to() const { return move_.to; }
  bool transposed() const { return move_.transposed; }
  int ranks() const { return from().ranks(); }
  const Move& ends() const { return move_; }

  /// bcast, scatterv, gatherv, allgatherv or alltoallv; none if nothing leaves its rank.
  std::optional<Operation> operation() const { return operation_; }
  /// Returns the request to the collectives, as known to `rank`, none if nothing leaves its rank. Counts are elements
  /// of `element` bytes. For an alltoallv all ranks know all counts if the counts are a product or there are at most
  /// most_in_matrix ranks; else, or if knowledge as_in_mpi is requested, each rank knows its own: this takes O(ranks)
  /// time, and no plan need be chosen.
  std::optional<Request> request(Rank rank, Bytes element, Knowledge knowledge = Knowledge::everywhere) const;
  static constexpr int most_in_matrix = 256;

  /// Returns true if bands become other bands in the same order, as after a change of shares during a run. Each rank
  /// then exchanges data with few others, no plan is better than direct messages, and request(rank, element, as_in_mpi)
  /// suffices.
  bool in_bands() const { return operation_ == Operation::alltoallv && in_order_; }

  /// Returns true if the rank packs before, or unpacks after, the operation; otherwise the array itself is the send or
  /// receive buffer.
  bool packs(Rank rank) const;
  bool unpacks(Rank rank) const;
  /// Elements of the send and receive buffers. In a broadcast both are the whole matrix of the root.
  std::int64_t sends(Rank rank) const;
  std::int64_t receives(Rank rank) const;
  /// Elements that unpack() takes from the array `from`.
  std::int64_t keeps(Rank rank) const;
  /// Returns true if the source array already is the target array, so that no copy is needed.
  bool is_view(Rank rank) const;
  /// Returns true if is_view(rank) holds on every rank.
  bool is_view() const;
  /// Number of elements that stay on their rank.
  std::int64_t staying() const;

  /// Fills packed[0, sends(rank)) from the array. Elements may have any size; buffers must not overlap.
  void pack(Rank rank, Bytes element, const std::byte* from, std::byte* packed) const;
  /// Fills the target array from received[0, receives(rank)) and, for elements that stay on the rank, from the source
  /// array.
  void unpack(Rank rank, Bytes element, const std::byte* from, const std::byte* received, std::byte* to) const;

 private:
  static constexpr int most_keeping = 64;  // ranks; above, a rank's own block is small, product counts gain more

  bool stays() const;
  bool is_product() const;
  AlltoallCounts exchange(Rank rank, Knowledge knowledge) const;
  std::vector<std::int64_t> counts_to(Rank rank) const;

  Move move_;
  std::optional<Operation> operation_;
  Rank root_ = 0;
  bool in_order_ = false;  // no rank packs or unpacks
  bool without_own_ = false;
};

}  // namespace tombolo
