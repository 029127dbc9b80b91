#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include <mpi.h>

#include <tombolo/collectives.hpp>
#include <tombolo/collectives/mpi/scratch_pool.hpp>
#include <tombolo/framework/arrays/rank_move.hpp>
#include <tombolo/framework/arrays/redistribution.hpp>
#include <tombolo/framework/arrays/transpose/in_place.hpp>
#include <tombolo/session.hpp>

namespace tombolo {

/// One rank's part of a redistribution, to be carried out any number of times.
class PreparedMove {
 public:
  /// `rank` is that of the caller; `element` is the size of an element in bytes.
  PreparedMove(const Redistribution& moves, Rank rank, Bytes element, LineStrides strides = {});

  /// Bytes of the buffers for elements to be packed and to be unpacked.
  std::size_t packed_bytes() const { return static_cast<std::size_t>(move_.packed_room() * element_); }
  std::size_t arrived_bytes() const { return static_cast<std::size_t>(move_.arrived_room() * element_); }
  /// As RankMove::part_of_source().
  std::optional<Strided> part_of_source() const { return move_.part_of_source(); }

  /// `type` has elements of the stated size; the source is kept. Throws as the collectives do. Collective.
  void run(Collectives& collectives, MPI_Datatype type, const MoveMemory& memory) const;

 private:
  Bytes element_;
  std::optional<Request> request_;
  RankMove move_;
};

/// Carries out a redistribution: from from[0, elements of this rank in moves.from()) to to[0, elements in moves.to()),
/// which must not overlap. `type` has elements of `element` bytes without gaps. The elements to be packed and those to
/// be unpacked, at most as many as `from` and `to`, are in scratch. Throws Error for a redistribution on another number
/// of ranks or a type of another size, and as the collectives do. Collective: all ranks pass the same redistribution,
/// element and type.
///
///     move(*collectives, Redistribution(Distribution::at(0, {n, n}, ranks), Distribution::rows(shares, n)),
///          sizeof(double), MPI_DOUBLE, a, slice, scratch);
void move(Collectives& collectives, const Redistribution& moves, Bytes element, MPI_Datatype type, const void* from,
          void* to, ScratchPool& scratch);
/// With scratch of its own.
void move(Collectives& collectives, const Redistribution& moves, Bytes element, MPI_Datatype type, const void* from,
          void* to);

/// Transposes a matrix over the ranks in place: A lies in buffer[plan.a_at(), plan.room()), B in buffer[0,
/// plan.b_elements()) after; `workspace` has plan.workspace() elements. `after`, if not empty, is called after the
/// sweeps, after the lines are in order, and after the transpose of the rank's part. Throws as move(). Collective: all
/// ranks pass a plan of the same layouts, each its own.
template <Element T>
void transpose_in_place(Session& session, Collectives& collectives, const InPlaceTranspose& plan, T* buffer,
                        T* workspace, const std::function<void()>& after = {});

}  // namespace tombolo
