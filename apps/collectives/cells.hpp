#pragma once

#include <string>
#include <vector>

#include <tombolo/collectives/request/regular.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/session.hpp>

namespace tombolo::timing {

/// A case to time: an operation, a size as regular_bytes() counts it, and a root.
struct Cell {
  Operation operation = Operation::barrier;
  Bytes bytes = 0;
  Rank root = 0;
};

/// Returns the cells that the user asked for, in that order: operations as "bcast,gather" or "all", sizes as sizes_in()
/// reads them, the root a rank, "all" for each in turn, or "rotate" or "turns" for one case that begins with 0. Throws
/// Error for operations and roots that there are not.
std::vector<Cell> cells_of(const std::string& operations, const std::string& bytes, const std::string& root, int ranks);

/// Returns the request of a cell: doubles if the operation combines elements, else bytes. Throws Error for uneven
/// counts of an operation that has none.
Request request_of(const Cell& cell, int ranks, Counts counts = Counts::equal);

/// Checks, before anything is timed, that the buffers of the largest case are free on every host, `copies` of them;
/// what MPI's own collectives take is not known. In a simulation they are phantoms and always are. Throws AgreedError.
/// Collective: all ranks have the same cells.
void require_room(Session& session, const std::vector<Cell>& cells, Counts counts = Counts::equal, int copies = 1);

}  // namespace tombolo::timing
