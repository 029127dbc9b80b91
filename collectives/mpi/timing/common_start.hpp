#pragma once

#include <mpi.h>

#include <tombolo/units.hpp>

namespace tombolo {

/// How far clocks of different hosts drift apart in a second, about.
constexpr Picoseconds clock_drift = 10'000'000;

/// What a rank knows of the clock of rank 0.
struct ClockComparison {
  Picoseconds ahead = 0;       ///< of this rank's clock
  Picoseconds round_trip = 0;  ///< the fastest of the rank for which that takes longest; the same on all ranks
};

/// Estimates clock offsets from a few round trips of every rank to rank 0 (Cristian 1989): the error is half the
/// difference between the two directions of the fastest round trip. Collective.
ClockComparison compare_clocks(MPI_Comm communicator, int round_trips = 3);

/// Starts the ranks of a communicator at the same moment. On one host, and in a simulation, by a barrier. Ranks of
/// several hosts leave a barrier as far apart as its messages take; such ranks agree on a future moment instead, by
/// compare_clocks().
class CommonStart {
 public:
  /// Collective.
  explicit CommonStart(MPI_Comm communicator);
  /// Uses the method for one host, or the one for several.
  CommonStart(MPI_Comm communicator, bool one_host);

  /// Starts all ranks together; returns the moment of the start on this rank's clock. Collective.
  Picoseconds next();
  /// Returns true if this rank learned of the last start after its moment.
  bool late() const { return late_; }
  /// Doubles the notice of the next start, after a rank was late; returns false after too many attempts. Called by all
  /// ranks.
  bool give_more_notice();

 private:
  void compare_clocks();

  MPI_Comm communicator_;
  int rank_ = 0;
  int ranks_ = 1;
  bool barrier_;  // sufficient, without clocks
  bool late_ = false;
  int tries_ = 0;             // calls of give_more_notice()
  Picoseconds ahead_ = 0;     // offset of this rank's clock from rank 0's
  Picoseconds compared_ = 0;  // time of the last comparison
  Picoseconds notice_ = 0;
};

}  // namespace tombolo
