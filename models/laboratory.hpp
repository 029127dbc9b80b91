#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/platform/measured.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// One thing to be timed, on the clock of rank `a` (but for `receive_overhead`, see there).
struct Experiment {
  enum class Kind : std::uint8_t {
    round_trip,        ///< a sends `there` bytes to b, which answers with `back`: until the answer is there
    one_to_two,        ///< a sends `there` to b, then to c, and receives `back` from both (LMO paper, equation 11)
    saturation,        ///< a sends `count` messages of `there` to b, which answers with an empty one after the last
    send_overhead,     ///< within a round trip (there, back): how long a is busy with the send call
    receive_overhead,  ///< within a round trip (there, back), the answer surely being there: a's call that receives it
    exchange,          ///< a sends `there` to b and b the same to a, at once: until a has both sent and received
    late_receive,      ///< b posts its receive `delay` after a's message may have begun: how long a's send call takes
    late_arrival       ///< the same, and timed on b: from posting the receive until the message is there
  };
  Kind kind = Kind::round_trip;
  Rank a = 0;
  Rank b = 0;
  Rank c = -1;
  Bytes there = 0;
  Bytes back = 0;
  int count = 1;
  Picoseconds delay = 0;
  bool operator==(const Experiment&) const = default;
};

/// How often an experiment is made: until the interval of its median is that narrow, and so many times at least and at
/// most. Simulated times have no noise: there, two that are equal are enough.
struct Repeat {
  int least = 2;
  int most = 100;
  double precision = 0.025;  ///< half the 95 % interval over the median
};

/// What estimating something cost.
struct Cost {
  std::int64_t measurements = 0;  ///< single timings, repetitions included
  std::int64_t messages = 0;
  double seconds = 0;  ///< of the machine: from the first experiment's start to the last one's end
  Cost& operator+=(const Cost& other) {
    measurements += other.measurements;
    messages += other.messages;
    seconds += other.seconds;
    return *this;
  }
  bool operator==(const Cost&) const = default;
};

/// Where experiments are made: on the machine (mpi/mpi_laboratory.hpp), or, for tests, in a model. An estimation asks
/// for batches of experiments, one after the other, as results tell it to; it sees the same results on all ranks, bit
/// for bit, and so all ranks ask for the same.
class Laboratory {
 public:
  virtual ~Laboratory() = default;
  /// Makes all of the experiments, those at the same time that do not disturb one another, and returns
  /// the time of each. Collective.
  virtual std::vector<Measured> run(std::span<const Experiment> experiments, const Repeat& repeat) = 0;
  /// What all experiments so far have cost.
  virtual Cost cost() const = 0;
};

}  // namespace tombolo
