#pragma once

#include <functional>
#include <string>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/mpi/common_start.hpp>
#include <tombolo/models/laboratory.hpp>
#include <tombolo/platform/measured.hpp>

namespace tombolo {

/// From the common start of all ranks until the last of them returns from `call`, in ps; the same on all ranks. Made
/// once more where a rank learned of the start too late. Collective over the communicator, which is that of `start`.
Picoseconds makespan_of(MPI_Comm communicator, CommonStart& start, const std::function<void()>& call);

/// What was measured of one of several calls that took turns.
struct Timing {
  Picoseconds median = 0;
  Picoseconds low = 0;  ///< of its 95 % interval
  Picoseconds high = 0;
  std::vector<Picoseconds> times;  ///< every one that counts, in the order in which they were taken
};

/// Times the calls in turns, so that what the machine does meanwhile meets them all alike: in one round in the order
/// given, in the next the other way round. Until the interval of every median is as narrow as `repeat` asks for, or
/// they have been made as often as it allows. On a real machine each is made once before, which does not count. The
/// same on all ranks. Collective.
std::vector<Timing> alternate(MPI_Comm communicator, const std::vector<std::function<void()>>& calls,
                              const Repeat& repeat);

}  // namespace tombolo
