#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <tombolo/platform/mpi/discovery/probe.hpp>

namespace tombolo::discovery {

/// The ranks that measure the network, one a host in the order of the hosts, with rank 0 at the root; and what a stage
/// of the discovery needs besides.
struct Team {
  MPI_Comm communicator = MPI_COMM_NULL;
  int rank = 0;
  int size = 1;
  Probe& probe;
  double precision = 0.02;
  Picoseconds until = never;  ///< when the stage under way should be over, on this rank's clock
  /// Called on rank 0: what is being measured, for people.
  std::function<void(const std::string& what)> progress = [](const std::string&) {};

  Repetition repetition() const { return {.precision = precision, .until = until}; }
  /// Of empty messages, which whatever else runs on a host can only delay: the faster ones show the link.
  Repetition latency_repetition() const {
    return {.most = 400, .quantile = 0.25, .precision = precision, .only_delays = true, .until = until};
  }
};

using Figures = std::vector<std::int64_t>;

/// What every rank has, by rank, on rank 0; nothing on the others. Collective.
std::vector<Figures> gather(const Team& team, const Figures& mine);

/// What rank 0 has, on all ranks. Collective.
Figures broadcast(const Team& team, Figures figures);

}  // namespace tombolo::discovery
