#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <tombolo/collectives/request/operation.hpp>
#include <tombolo/counts.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// A collective call: operation, sizes in elements, root. Every rank of a call makes the same request, except for
/// counts that MPI does not give to the rank. Made by the functions below, which throw Error for invalid arguments.
struct Request {
  Operation operation = Operation::barrier;
  int ranks = 1;
  Rank root = 0;
  Bytes element_bytes = 1;
  std::int64_t count = 0;   ///< Sizes::vector: elements of the vector
  Blocks blocks;            ///< Sizes::blocks: block i belongs to rank i
  AlltoallCounts exchange;  ///< Sizes::exchange
  /// MPI_IN_PLACE: contribution and result share one buffer; the root's own part in a rooted operation (scatterv: the
  /// root's block stays in the input), the whole contribution of every rank in other operations.
  bool in_place = false;
  bool commutative = true;  ///< operands may be reordered; otherwise combined in rank order
  Knowledge knowledge = Knowledge::everywhere;

  /// The request of an operation with sizes of that form. `root` is ignored if the operation has none.
  static Request of_vector(Operation operation, int ranks, Rank root, std::int64_t count, Bytes element_bytes);
  static Request of_blocks(Operation operation, Rank root, Blocks blocks, Bytes element_bytes);
  static Request of_exchange(Operation operation, int ranks, AlltoallCounts exchange, Bytes element_bytes);

  static Request barrier(int ranks) { return of_vector(Operation::barrier, ranks, 0, 0, 0); }
  static Request bcast(int ranks, Rank root, std::int64_t count, Bytes element_bytes) {
    return of_vector(Operation::bcast, ranks, root, count, element_bytes);
  }
  static Request reduce(int ranks, Rank root, std::int64_t count, Bytes element_bytes, bool commutative = true) {
    return of_vector(Operation::reduce, ranks, root, count, element_bytes).combining(commutative);
  }
  static Request allreduce(int ranks, std::int64_t count, Bytes element_bytes, bool commutative = true) {
    return of_vector(Operation::allreduce, ranks, 0, count, element_bytes).combining(commutative);
  }
  static Request scan(int ranks, std::int64_t count, Bytes element_bytes, bool commutative = true) {
    return of_vector(Operation::scan, ranks, 0, count, element_bytes).combining(commutative);
  }
  static Request exscan(int ranks, std::int64_t count, Bytes element_bytes, bool commutative = true) {
    return of_vector(Operation::exscan, ranks, 0, count, element_bytes).combining(commutative);
  }
  static Request scatterv(Rank root, Blocks blocks, Bytes element_bytes) {
    return of_blocks(Operation::scatterv, root, std::move(blocks), element_bytes);
  }
  static Request gatherv(Rank root, Blocks blocks, Bytes element_bytes) {
    return of_blocks(Operation::gatherv, root, std::move(blocks), element_bytes);
  }
  static Request allgatherv(Blocks blocks, Bytes element_bytes) {
    return of_blocks(Operation::allgatherv, 0, std::move(blocks), element_bytes);
  }
  static Request reduce_scatter(Blocks blocks, Bytes element_bytes, bool commutative = true) {
    return of_blocks(Operation::reduce_scatter, 0, std::move(blocks), element_bytes).combining(commutative);
  }
  static Request alltoallv(int ranks, AlltoallCounts exchange, Bytes element_bytes) {
    return of_exchange(Operation::alltoallv, ranks, std::move(exchange), element_bytes);
  }

  Request with_in_place(bool now) const;
  Request combining(bool in_any_order) const;  ///< sets `commutative`
  Request knowing(Knowledge now) const;        ///< sets `knowledge`; `everywhere` if MPI gives all ranks all counts

  /// Returns the request as known to `rank` at the start of the call: with the counts known to the rank; a rooted
  /// operation is in place at the root only.
  Request seen_by(Rank rank) const;
  /// Returns the part of the request that all ranks know: without in-place use, and with blocks of one element, or an
  /// empty exchange, in place of counts as in MPI.
  Request known_to_all() const;
  /// Returns the request with the counts of `all` whose flag in `known` is set; the other counts are unknown.
  Request with_known(const std::vector<bool>& known, const Blocks& all) const;

  bool operator==(const Request&) const = default;
};

/// Key of requests in caches of plans: all of a request but in-place use, which no choice depends on, since only some
/// ranks know of it. Hash and equality; constant time if blocks are equal.
struct RequestHash {
  std::size_t operator()(const Request& request) const;
};
struct SameRequest {
  bool operator()(const Request& a, const Request& b) const;
};

}  // namespace tombolo
