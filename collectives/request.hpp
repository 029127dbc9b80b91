#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/collectives/blocks.hpp>
#include <tombolo/collectives/exchange.hpp>
#include <tombolo/collectives/operation.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Which ranks know the counts of a v-collective when it is called.
enum class Knowledge {
  everywhere,  ///< every rank was given all the counts, as where shares are computed alike on all ranks
  as_in_mpi    ///< the root has all of them, any other rank its own (MPI_Scatterv, MPI_Gatherv, MPI_Alltoallv)
};

/// What is asked for: the operation, its sizes in elements, the root. Every rank of a call makes the same request,
/// except for counts that MPI does not give it. Made by the functions below, which check it.
struct Request {
  Operation operation = Operation::barrier;
  int ranks = 1;
  Rank root = 0;
  Bytes element_bytes = 1;
  std::int64_t count = 0;  ///< Sizes::vector: elements in it
  Blocks blocks;           ///< Sizes::blocks: block i is rank i's
  Exchange exchange;       ///< Sizes::exchange
  /// What goes in stands where the result is to stand, as where MPI_IN_PLACE is given: at the root of a rooted
  /// operation its own part, on every rank of any other all that it contributes.
  bool in_place = false;
  bool commutative = true;  ///< operands may change places; otherwise they are combined in rank order
  Knowledge knowledge = Knowledge::everywhere;

  static Request barrier(int ranks);
  static Request bcast(int ranks, Rank root, std::int64_t count, Bytes element_bytes);
  static Request reduce(int ranks, Rank root, std::int64_t count, Bytes element_bytes, bool commutative = true);
  static Request allreduce(int ranks, std::int64_t count, Bytes element_bytes, bool commutative = true);
  static Request scan(int ranks, std::int64_t count, Bytes element_bytes, bool commutative = true);
  static Request exscan(int ranks, std::int64_t count, Bytes element_bytes, bool commutative = true);
  static Request scatterv(Rank root, Blocks blocks, Bytes element_bytes);
  static Request gatherv(Rank root, Blocks blocks, Bytes element_bytes);
  static Request allgatherv(Blocks blocks, Bytes element_bytes);
  static Request reduce_scatter(Blocks blocks, Bytes element_bytes, bool commutative = true);
  static Request alltoallv(int ranks, Exchange exchange, Bytes element_bytes);

  Request with_in_place(bool now) const;
  Request combining(bool in_any_order) const;  ///< sets `commutative`
  Request knowing(Knowledge now) const;        ///< `everywhere` where MPI gives all ranks all counts

  /// The same request as `rank` knows it when the call begins: with the counts that it has, and that the root of a
  /// rooted operation works in place only if it is the root.
  Request seen_by(Rank rank) const;
  /// The same request where just those counts out of `all` are known whose flag is set.
  Request with_known(const std::vector<bool>& known, const Blocks& all) const;

  bool operator==(const Request&) const = default;
};

}  // namespace tombolo
