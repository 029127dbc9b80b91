#pragma once

#include <functional>

#include <mpi.h>

#include <tombolo/collectives.hpp>
#include <tombolo/collectives/mpi/scratch_pool.hpp>
#include <tombolo/framework/arrays/redistribution.hpp>
#include <tombolo/framework/arrays/transpose/in_place.hpp>
#include <tombolo/session.hpp>

namespace tombolo {

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
