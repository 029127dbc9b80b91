#pragma once

#include <vector>

#include <tombolo/collectives/choose.hpp>
#include <tombolo/collectives/mpi/alternation.hpp>
#include <tombolo/framework/mpi/session.hpp>

namespace tombolo::timing {

/// What takes turns for one request.
struct Contest {
  std::vector<Candidate> plans;
  bool native = true;    ///< MPI's own collective too
  bool rotates = false;  ///< each repetition has the next root, where there is one
};

/// Times MPI's own collective, first, and the plans in turns, on the same buffers; plans as persistent calls.
/// Collective.
std::vector<Timing> time_in_turns(Session& session, const Request& request, const Contest& contest,
                                  const Repeat& repeat);

}  // namespace tombolo::timing
