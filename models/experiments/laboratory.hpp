#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// One quantity to be timed, on the clock of rank `a` (of rank `b` for `late_arrival`).
struct Experiment {
  enum class Kind : std::uint8_t {
    round_trip,        ///< a sends `there` bytes to b, which answers with `back`: until the answer has arrived
    one_to_two,        ///< a sends `there` to b, then to c, and receives `back` from both (LMO paper, equation 11)
    saturation,        ///< a sends `count` messages of `there` to b, which answers the last with an empty one
    send_overhead,     ///< within a round trip (there, back): the duration of a's send call
    receive_overhead,  ///< within a round trip (there, back): a's receive call, after the answer's arrival
    train,             ///< as saturation, but b has posted all receives before the first message arrives
    exchange,          ///< a sends `there` to b and b the same to a, at once: until a has both sent and received
    late_receive,  ///< b posts its receive `delay` after the earliest start of a's message: duration of a's send call
    late_arrival   ///< as late_receive, but timed on b: from posting the receive until arrival
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

/// Repetitions of an experiment: until the interval of the median reaches `precision`, within the bounds on the count.
/// Simulated times have no noise: two equal times end the series.
struct Repeat {
  int least = 2;
  int most = 100;
  double precision = 0.025;  ///< half the 95 % interval, relative to the median
  double part = 1;           ///< of the laboratory's time that the batch should take; one timing each in any case
};

/// Cost of an estimation.
struct ExperimentCost {
  std::int64_t measurements = 0;  ///< single timings, repetitions included
  std::int64_t messages = 0;
  double seconds = 0;  ///< elapsed, from the start of the first experiment to the end of the last
  ExperimentCost& operator+=(const ExperimentCost& other) {
    measurements += other.measurements;
    messages += other.messages;
    seconds += other.seconds;
    return *this;
  }
  bool operator==(const ExperimentCost&) const = default;
};

/// Executes experiments: on the machine (mpi/mpi_laboratory.hpp) or, for tests, in a model. An estimation requests
/// batches of experiments one after the other, depending on earlier results. Results are identical on all ranks, bit
/// for bit, so that all ranks request the same experiments.
class Laboratory {
 public:
  virtual ~Laboratory() = default;
  /// Executes the experiments, concurrently where they do not disturb each other, and returns the time of each.
  /// Collective.
  virtual std::vector<Measured> run(std::span<const Experiment> experiments, const Repeat& repeat) = 0;
  /// The cost of all experiments so far.
  virtual ExperimentCost cost() const = 0;
  /// The time that an estimation should take, in seconds. Repetitions end by it (Repeat::part); estimations leave out
  /// what it does not allow (TimeLeft).
  virtual double time_given() const { return std::numeric_limits<double>::infinity(); }
  /// True if times have no noise, so that one tells even what noise would hide.
  virtual bool exact() const { return false; }
};

/// What is left of a part of a laboratory's time, from now on. The same on all ranks.
class TimeLeft {
 public:
  TimeLeft(const Laboratory& laboratory, double part)
      : laboratory_(laboratory), until_(laboratory.cost().seconds + part * laboratory.time_given()) {}
  double seconds() const { return until_ - laboratory_.cost().seconds; }

 private:
  const Laboratory& laboratory_;
  double until_;
};

/// The participants of an experiment: a, b and, in experiments of three ranks, c.
class Participants {
 public:
  explicit Participants(const Experiment& experiment)
      : ranks_{experiment.a, experiment.b, experiment.c},
        size_(experiment.kind == Experiment::Kind::one_to_two ? 3U : 2U) {}
  const Rank* begin() const { return ranks_.data(); }
  const Rank* end() const { return ranks_.data() + size_; }
  std::size_t size() const { return size_; }
  bool contains(Rank rank) const;

 private:
  std::array<Rank, 3> ranks_;
  std::size_t size_;
};

/// The rank on whose clock the experiment is timed.
Rank measuring_rank(const Experiment& experiment);

/// Throws Error unless `ranks` ranks can make all experiments with messages of at most `largest` bytes.
void check_experiments(std::span<const Experiment> experiments, int ranks, Bytes largest);

/// The timings of one experiment, with the criterion for their end.
class Series {
 public:
  /// Discards the first `untimed` times, which include one-time costs (connections, pages of memory).
  Series(const Repeat& repeat, bool noisy, int untimed) : repeat_(repeat), noisy_(noisy), untimed_(untimed) {}

  /// The number of executions, untimed ones included, if known in advance; else 0.
  int known_rounds() const { return repeat_.most <= 1 || (!noisy_ && repeat_.least <= 1) ? untimed_ + 1 : 0; }
  void add(Picoseconds time);
  /// Ends the series with the first timing.
  void hurry() { hurried_ = true; }
  bool enough() const;
  /// The median.
  Measured result() const;
  /// In the order of measurement, without the untimed ones.
  const std::vector<Picoseconds>& times() const { return times_; }
  std::int64_t timings() const { return static_cast<std::int64_t>(times_.size()); }

 private:
  Repeat repeat_;
  bool noisy_;
  int untimed_;
  int made_ = 0;
  bool hurried_ = false;
  std::vector<Picoseconds> times_;
};

}  // namespace tombolo
