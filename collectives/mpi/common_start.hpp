#pragma once

#include <cstdint>

#include <mpi.h>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Lets the ranks of a communicator begin at one moment. On one host, and in a simulation, a barrier does that. Ranks
/// of several hosts leave a barrier as far apart as its messages take, so these agree on a moment to come instead, and
/// know by round trips what their clocks differ by (Cristian 1989): it is right to half of what the two ways of the
/// fastest round trip differ by.
class CommonStart {
 public:
  /// Collective.
  explicit CommonStart(MPI_Comm communicator);
  /// As if all ranks were on one host, or on several.
  CommonStart(MPI_Comm communicator, bool one_host);

  /// Lets all ranks go on together; returns when that was, on this rank's clock. Collective.
  Picoseconds next();
  /// Whether this rank heard of the last start when it was over.
  bool late() const { return late_; }
  /// Gives more notice of the next start, where one of the ranks was late; says whether there is hope that this helps.
  /// Called by all ranks.
  bool give_more_notice();

 private:
  void compare_clocks();

  MPI_Comm communicator_;
  int rank_ = 0;
  int ranks_ = 1;
  bool barrier_;  // is enough
  bool late_ = false;
  int tries_ = 0;             // to give more notice
  Picoseconds ahead_ = 0;     // this rank's clock of rank 0's
  Picoseconds compared_ = 0;  // when
  Picoseconds notice_ = 0;
};

}  // namespace tombolo
