#pragma once

#include <tombolo/collectives/mpi/collectives.hpp>

namespace tombolo {

/// Carries out a request by the method for its operation, whoever implements it: for benchmarks and checks. The request
/// is as this rank knows it. Buffers may be null where the operation has none; where request.in_place, the one that
/// MPI_IN_PLACE stands for is not looked at.
void call(Collectives& collectives, const Request& request, const void* input, void* output, MPI_Datatype type,
          MPI_Op op = MPI_OP_NULL);

}  // namespace tombolo
