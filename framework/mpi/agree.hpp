#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include <mpi.h>

namespace tombolo {

/// A failure known to all ranks: thrown on every rank with the same message.
class AgreedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The lowest rank on which `holds` is true; empty if there is none. The same on all ranks. Collective.
std::optional<int> lowest_rank(MPI_Comm communicator, bool holds);

/// Runs `work`, which may fail on a subset of the ranks (reading a file, allocating memory), and shares the outcome:
/// returns on all ranks, or throws AgreedError on all ranks with the message of the lowest rank that failed. No rank is
/// left waiting in a collective for a failed one. `work` must not communicate. Collective.
void agree(MPI_Comm communicator, const std::function<void()>& work);

/// Runs `work` on one rank while all others sleep: ranks that wait in MPI poll and would take the cores of `work`.
/// `work` must not throw, since an exception would leave the other ranks asleep. Collective.
void alone_on(MPI_Comm communicator, int rank, const std::function<void()>& work);

}  // namespace tombolo
