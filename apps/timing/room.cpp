#include "timing/room.hpp"

#include <algorithm>

#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/framework/mpi/session/require_memory.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::timing {

void require_room(Session& session, const std::vector<Cell>& cells, Counts counts, int copies) {
  if (machine::simulated()) return;
  double most = 0;
  for (const Cell& cell : cells) {
    const Request request = request_of(cell, session.ranks(), counts);
    const Contract promised = contract(request, session.rank());
    const double elements = static_cast<double>(promised.input_size) + static_cast<double>(promised.output_size);
    most = std::max(most, elements * static_cast<double>(request.element_bytes));
  }
  // Buffers are equally large on all ranks.
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, session.communicator()), "MPI_Allreduce");
  require_memory(session, most * copies);
}

}  // namespace tombolo::timing
