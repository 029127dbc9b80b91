#pragma once

#include <vector>

#include <tombolo/framework/mpi/session.hpp>

#include "timing/cells.hpp"

namespace tombolo::timing {

/// Checks, before anything is timed, that the buffers of the largest case are free on every host, `copies` of them;
/// what MPI's own collectives take is not known. In a simulation they are phantoms and always are. Throws AgreedError.
/// Collective: all ranks have the same cells.
void require_room(Session& session, const std::vector<Cell>& cells, Counts counts = Counts::equal, int copies = 1);

}  // namespace tombolo::timing
