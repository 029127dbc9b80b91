#pragma once

#include <array>
#include <map>
#include <vector>

#include <tombolo/collectives/schedule.hpp>

namespace tombolo {

/// Remembers which step last wrote and which have since read every element of a rank's buffers, and so says which steps
/// a new access has to wait for: a read for the write before it, a write for the reads and the write before it.
class Accesses {
 public:
  /// Adds to `after` what a read of the piece by `step` has to wait for.
  void read(const Piece& piece, StepId step, std::vector<StepId>& after);
  /// The same for a write.
  void write(const Piece& piece, StepId step, std::vector<StepId>& after);

 private:
  struct Stretch {
    std::int64_t end = 0;
    StepId writer = no_step;
    std::vector<StepId> readers;  // since that write
  };
  using Stretches = std::map<std::int64_t, Stretch>;  // by first element; they do not overlap

  static void split(Stretches& stretches, std::int64_t at);
  std::array<Stretches, buffer_kinds> buffers_;
};

}  // namespace tombolo
