#include <tombolo/collectives/mpi/call.hpp>

namespace tombolo {

void call(Collectives& collectives, const Request& request, const void* input, void* output, MPI_Datatype type,
          MPI_Op op) {
  const bool in_place = request.in_place && (!is_rooted(request.operation) || collectives.rank() == request.root);
  const void* const from = in_place ? MPI_IN_PLACE : input;
  switch (request.operation) {
    case Operation::barrier:
      return collectives.barrier();
    case Operation::bcast:
      return collectives.bcast(output, request.count, type, request.root);
    case Operation::reduce:
      return collectives.reduce(from, output, request.count, type, op, request.root);
    case Operation::allreduce:
      return collectives.allreduce(from, output, request.count, type, op);
    case Operation::scan:
      return collectives.scan(from, output, request.count, type, op);
    case Operation::exscan:
      return collectives.exscan(from, output, request.count, type, op);
    case Operation::scatterv:
      return collectives.scatterv(input, request.blocks, in_place ? MPI_IN_PLACE : output, type, request.root,
                                  request.knowledge);
    case Operation::gatherv:
      return collectives.gatherv(from, request.blocks, output, type, request.root, request.knowledge);
    case Operation::allgatherv:
      return collectives.allgatherv(from, request.blocks, output, type);
    case Operation::reduce_scatter:
      return collectives.reduce_scatter(from, output, request.blocks, type, op);
    case Operation::alltoallv:
      if (request.knowledge == Knowledge::everywhere) {
        return collectives.alltoallv(input, request.exchange, output, type);
      }
      return collectives.alltoallv(input, request.exchange.sends(collectives.rank()), output,
                                   request.exchange.receives(collectives.rank()), type);
  }
}

}  // namespace tombolo
