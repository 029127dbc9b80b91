#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <tombolo/platform/mpi/discovery/probe.hpp>

namespace tombolo::discovery {

/// The ranks that measure the network, one per host in the order of the hosts, with rank 0 at the root, and the
/// parameters of a stage of the discovery.
struct Team {
  MPI_Comm communicator = MPI_COMM_NULL;
  int rank = 0;
  int size = 1;
  Probe& probe;
  double precision = 0.02;
  Picoseconds until = never;  ///< deadline of the current stage, on this rank's clock
  /// Called on rank 0 with a description of the current measurement, for people.
  std::function<void(const std::string& what)> progress = [](const std::string&) {};

  Repetition repetition() const { return {.precision = precision, .until = until}; }
  /// The rule for empty messages: other processes on a host can only delay them, so the faster times show the link.
  Repetition latency_repetition() const {
    return {.most = 400, .quantile = 0.25, .precision = precision, .only_delays = true, .until = until};
  }
};

using Figures = std::vector<std::int64_t>;

/// Returns the figures of every rank, by rank, on rank 0; empty on the others. Collective.
std::vector<Figures> gather(const Team& team, const Figures& mine);

/// Returns the figures of rank 0 on all ranks. Collective.
Figures broadcast(const Team& team, Figures figures);

}  // namespace tombolo::discovery
