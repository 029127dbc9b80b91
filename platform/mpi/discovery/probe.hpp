#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <mpi.h>

#include <tombolo/platform/measured.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo::discovery {

/// How often a figure is measured: until it is precise, but no longer than `until` and no more often than `most`; in
/// any case `least` times, and `few` times while there is time where times have noise.
struct Repetition {
  std::size_t least = 2;
  std::size_t few = 8;
  std::size_t most = 100;
  double quantile = 0.5;  ///< of the times that counts
  double precision = 0.02;
  bool only_delays = false;   ///< is what disturbs: the error then reaches to the shortest time and to the median
  Picoseconds until = never;  ///< on this rank's clock
};

/// Messages between two ranks at a time, of which one measures and the other answers. The one that measures says when
/// it is done, so it alone decides how often and with which sizes.
class Probe {
 public:
  /// `buffer` is where messages come from and go to; its size is the largest that a message can have.
  Probe(MPI_Comm communicator, std::span<char> buffer) : communicator_(communicator), buffer_(buffer) {}

  /// The time from the start of a message to the end of the empty reply, measured repeatedly. The first message to a
  /// partner is an empty one that is not counted: the partner may not have been there yet.
  Measured round_trips(int partner, Bytes bytes, const Repetition& repetition);
  /// One such time.
  Picoseconds round_trip(int partner, Bytes bytes);
  /// One such time of each partner, who are all sent their message at once.
  std::vector<Picoseconds> round_trips_at_once(std::span<const int> partners, std::span<const Bytes> bytes);
  /// Lets the partner's answer() return.
  void end(int partner);
  /// Replies, with empty messages, until the partner ends it. Sleeps before the first message.
  void answer(int partner);
  /// A message there and one back at the same time; the partner calls the same.
  Picoseconds exchange(int partner, Bytes bytes);
  /// Waits for the partner, which calls the same, and returns whether both are willing.
  bool agree_with(int partner, bool willing);

  Bytes largest() const { return static_cast<Bytes>(buffer_.size()); }
  std::int64_t messages() const { return messages_; }
  void count_message() { ++messages_; }

 private:
  MPI_Comm communicator_;
  std::span<char> buffer_;
  int partner_ = -1;  // that answers now
  std::int64_t messages_ = 0;
};

}  // namespace tombolo::discovery
