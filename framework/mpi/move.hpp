#pragma once

#include <mpi.h>

#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/collectives/mpi/memory.hpp>
#include <tombolo/framework/redistribution.hpp>

namespace tombolo {

/// Room for what is sent and received, for moves that come again.
struct MoveRoom {
  Scratch packed;
  Scratch received;
};

/// Carries a redistribution out: from[0, elements of this rank in moves.from()) into to[0, in moves.to()), which do not
/// overlap. `type` has elements of `element` bytes without gaps. Collective: all ranks give the same redistribution,
/// element and type. Takes as much room again as is packed and as is received to be unpacked, so at most what `from`
/// and `to` have. Throws Error for a redistribution on another number of ranks or a type of another size, and as the
/// collectives do.
///
///     move(*collectives, Redistribution(Distribution::at(0, {n, n}, ranks), Distribution::rows(shares, n)),
///          sizeof(double), MPI_DOUBLE, a, slice);
void move(Collectives& collectives, const Redistribution& moves, Bytes element, MPI_Datatype type, const void* from,
          void* to, MoveRoom& room);
void move(Collectives& collectives, const Redistribution& moves, Bytes element, MPI_Datatype type, const void* from,
          void* to);

}  // namespace tombolo
