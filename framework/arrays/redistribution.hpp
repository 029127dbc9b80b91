#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tombolo/collectives/request/operation.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/matrix.hpp>

namespace tombolo {

/// The intersection of a block of the source and a block of the target; a rank has one of them and `peer` the other.
struct Overlap {
  Rank peer = 0;
  int from = 0;  ///< block number in the source
  int to = 0;
  Part part;  ///< in rows and columns of the source
};

/// Whether data that stays on its rank is part of the operation. If it is, the operation is an alltoallv in any case:
/// rows to blocks of columns, all of whose rows are on one rank, have a product of counts on any number of ranks, and
/// arrive in place.
enum class OwnData { stays, exchanged };

/// Which elements of the target the source has: all, or some, where the others keep their values.
enum class Covers { all, some };

/// The redistribution of a matrix into another distribution of the same matrix or its transpose: one collective
/// operation; what is packed before it and unpacked after it on one rank is a RankMove. If anything is packed or
/// unpacked, data that stays on its rank is not sent; otherwise, as between bands of rows, arrays are sent and received
/// directly. From a replicated matrix nothing is sent. Parts of the target may overlap or leave elements out: an
/// element is sent to every rank that has it there.
///
/// All ranks make the same Redistribution and hold all of its description.
class Redistribution {
 public:
  /// Throws Error if shapes or numbers of ranks do not match, or if the source lacks elements of the target or has them
  /// several times. With Covers::some it may lack elements; such a target is not replicated.
  Redistribution(Distribution from, Distribution to, bool transposed = false, OwnData own = OwnData::stays,
                 Covers covers = Covers::all);

  const Distribution& from() const { return from_; }
  const Distribution& to() const { return to_; }
  bool transposed() const { return transposed_; }
  int ranks() const { return from_.ranks(); }
  /// Returns true if neighbours in the memory of one distribution are far apart in the memory of the other.
  bool turns() const;

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

  /// Returns the overlaps that a rank sends, or receives, including those with itself. Ordered by peer, then by block
  /// of the target, then of the source, so that both ends of a message list its buffer ranges in the same order. Takes
  /// O(n log n) time for n overlaps. A replicated source is read from the rank's own copy.
  std::vector<Overlap> sent_overlaps(Rank rank) const;
  std::vector<Overlap> received_overlaps(Rank rank) const;

  /// Elements of the send and receive buffers. In a broadcast both are the whole matrix of the root.
  std::int64_t sends(Rank rank) const;
  std::int64_t receives(Rank rank) const;
  /// Returns true if what stays on its rank is not part of the operation.
  bool own_stays() const { return !operation_ || without_own_; }
  /// Elements of a rank that are not part of the operation.
  std::int64_t keeps(Rank rank) const;
  /// Returns true if on every rank the source array already is the target array, so that no copy is needed.
  bool is_view() const;
  /// Number of elements that stay on their rank.
  std::int64_t staying() const;

 private:
  static constexpr int most_keeping = 64;  // ranks; above, a rank's own block is small, product counts gain more

  Part target(int number) const { return transposed_ ? to_.block(number).transposed() : to_.block(number); }
  void check_source() const;
  bool stays() const;
  bool is_product() const;
  AlltoallCounts exchange(Rank rank, Knowledge knowledge) const;
  std::vector<std::int64_t> counts_to(Rank rank) const;

  Distribution from_;
  Distribution to_;
  bool transposed_ = false;
  Covers covers_ = Covers::all;
  std::optional<Operation> operation_;
  Rank root_ = 0;
  bool in_order_ = false;  // no rank packs or unpacks
  bool without_own_ = false;
};

}  // namespace tombolo
