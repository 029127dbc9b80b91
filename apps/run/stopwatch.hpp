#pragma once

#include <cstddef>
#include <vector>

#include <mpi.h>

#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

/// When a rank ended each phase of a run, in seconds since the common start.
using PhaseEnds = std::vector<double>;

/// Takes the time of this rank's phases. Between two phases it reads the clock, and no more.
class Stopwatch {
 public:
  /// Starts when all ranks have come here. Collective.
  Stopwatch(const Session& session, std::size_t phases) {
    ends_.reserve(phases);
    machine::start_together(session.communicator());
    start_ = MPI_Wtime();
  }

  void end_phase() { ends_.push_back(MPI_Wtime() - start_); }

  const PhaseEnds& ends() const { return ends_; }

 private:
  PhaseEnds ends_;
  double start_ = 0;
};

/// Those of every rank, by rank; all ranks give as many. The same on all ranks. Collective.
std::vector<PhaseEnds> gather_ends(const Session& session, const PhaseEnds& mine);

}  // namespace tombolo
