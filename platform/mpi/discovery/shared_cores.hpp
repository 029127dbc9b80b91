#pragma once

#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// What messages between the ranks of a host cost, as in Host; all 0 where every rank has a core.
struct CoreUse {
  Measured wake_up;   ///< ps
  Measured message;   ///< ps
  Measured exchange;  ///< B/s
};

/// Measures, on every host whose ranks outnumber its cores, with all ranks at work and on all hosts concurrently: a
/// token that goes round, which every rank waits for, and rounds in which every rank sends to the next one, with empty
/// and with large messages. `hosts`: the levels of the hosts, with their latencies on rank 0. The team is all ranks.
/// Returns the figures by host, on rank 0 only. Does nothing in simulations, where messages take no time of cores.
/// Collective.
std::vector<CoreUse> measure_shared_cores(Team& team, const std::vector<Processor>& processors,
                                          const std::vector<Level>& hosts);

}  // namespace tombolo::discovery
