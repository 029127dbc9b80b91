#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <mpi.h>

#include <tombolo/platform/description/measured.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo::discovery {

/// The stopping rule of a repeated measurement: the figure is precise, the time `until` has come or `most` repetitions
/// are done; `least` repetitions in any case, and `few` if times have noise and there is time.
struct Repetition {
  std::size_t least = 2;
  std::size_t few = 8;
  std::size_t most = 100;
  double quantile = 0.5;  ///< of the times; the reported figure
  double precision = 0.02;
  bool only_delays = false;   ///< disturbances only delay: the error covers the shortest time and the median
  Picoseconds until = never;  ///< on this rank's clock
};

/// Messages between two ranks, of which one measures and the other answers. The measuring rank alone decides the
/// repetitions and sizes, and ends the measurement.
class Probe {
 public:
  /// `buffer`: memory for all messages; its size is the largest message size.
  Probe(MPI_Comm communicator, std::span<char> buffer) : communicator_(communicator), buffer_(buffer) {}

  /// Measures repeatedly the time from the start of a message to the end of the empty reply. An empty message to a new
  /// partner is sent first and not counted, since the partner may arrive late.
  Measured round_trips(int partner, Bytes bytes, const Repetition& repetition);
  /// Measures one such time.
  Picoseconds round_trip(int partner, Bytes bytes);
  /// Measures one such time for each partner, with all messages sent at once.
  std::vector<Picoseconds> round_trips_at_once(std::span<const int> partners, std::span<const Bytes> bytes);
  /// Ends the partner's answer().
  void end(int partner);
  /// Replies with empty messages until the partner calls end(). Sleeps before the first message.
  void answer(int partner);
  /// Measures a simultaneous exchange of messages; the partner calls the same function.
  Picoseconds exchange(int partner, Bytes bytes);
  /// Returns true if both ranks are willing. Waits for the partner, which calls the same function.
  bool agree_with(int partner, bool willing);

  Bytes largest() const { return static_cast<Bytes>(buffer_.size()); }
  std::int64_t messages() const { return messages_; }
  void count_message() { ++messages_; }

 private:
  MPI_Comm communicator_;
  std::span<char> buffer_;
  int partner_ = -1;  // the answering rank
  std::int64_t messages_ = 0;
};

}  // namespace tombolo::discovery
