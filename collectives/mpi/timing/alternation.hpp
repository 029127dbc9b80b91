#pragma once

#include <functional>
#include <string>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/mpi/timing/common_start.hpp>
#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/platform/description/measured.hpp>

namespace tombolo {

/// Returns the makespan of `call` in ps: from the common start of all ranks to the return of the last rank; the same on
/// all ranks. Repeats if a rank learned of the start too late. Collective over `communicator`, that of `start`.
Picoseconds makespan_of(MPI_Comm communicator, CommonStart& start, const std::function<void()>& call);

/// Measured times of one of several calls timed in turns.
struct Timing {
  Picoseconds median = 0;
  Picoseconds low = 0;  ///< of the 95 % confidence interval
  Picoseconds high = 0;
  std::vector<Picoseconds> times;  ///< all times that count, in order of measurement
};

/// Times the calls in turns, so that disturbances of the machine affect all alike: odd rounds in the given order, even
/// rounds in reverse. Ends when the interval of every median is as narrow as `repeat` asks for, or after its largest
/// number of repetitions. On a real machine the first time of each call does not count. The same on all ranks.
/// Collective.
std::vector<Timing> alternate(MPI_Comm communicator, const std::vector<std::function<void()>>& calls,
                              const Repeat& repeat);

}  // namespace tombolo
