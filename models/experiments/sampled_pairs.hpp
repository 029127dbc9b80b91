#pragma once

#include <span>
#include <vector>

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/pairs/pair_classes.hpp>

namespace tombolo {

/// A link to be saturated with messages of one size.
struct Saturation {
  Rank from = 0;
  Rank to = 0;
  Bytes bytes = 0;
};

/// Returns the gap of each link: the extra time of one more message in a long sequence (LMO paper, section 2, LogP).
/// The number of messages n doubles from 8 on until the gap changes by less than 2 % and gaps make up three quarters of
/// the time, up to 4096 messages or 16 MiB. The gap is the slope of the times T_n over the last three numbers, instead
/// of the papers' T_n / n: that quotient contains an n-th of the final round trip, an error about as large as its
/// remaining change. Collective.
std::vector<Picoseconds> measure_gaps(Laboratory& laboratory, std::span<const Saturation> saturations);

/// Sampled pairs of each class, as representatives of the class.
class SampledPairs {
 public:
  static constexpr int usual = 3;
  explicit SampledPairs(const PairClasses& classes, int most_of_class = usual)
      : SampledPairs(classes, most_of_class, most_of_class) {}
  /// With a separate maximum for classes of pairs between two clusters.
  SampledPairs(const PairClasses& classes, int most_inside, int most_between);

  std::size_t size() const { return pairs_.size(); }
  int classes() const { return classes_; }
  std::pair<Rank, Rank> pair(std::size_t index) const { return pairs_[index]; }
  int class_of(std::size_t index) const { return class_of_[index]; }

  /// Medians by class of figures by pair; of two figures the larger one.
  std::vector<Picoseconds> medians(const std::vector<Picoseconds>& by_pair) const;
  /// Makes the experiment on all pairs (a and b are filled in) and returns the medians by class. Collective.
  std::vector<Picoseconds> measure(Laboratory& laboratory, Experiment experiment, const Repeat& repeat = {}) const;
  /// Medians by class of the gap of messages of `bytes` bytes, by measure_gaps. Collective.
  std::vector<Picoseconds> gaps(Laboratory& laboratory, Bytes bytes) const;

 private:
  int classes_;
  std::vector<std::pair<Rank, Rank>> pairs_;
  std::vector<int> class_of_;
};

/// LogP's and LogGP's parameters of a small message, in ps.
struct SmallMessage {
  Picoseconds send_overhead = 0;     ///< o_s
  Picoseconds receive_overhead = 0;  ///< o_r
  Picoseconds latency = 0;           ///< L
  bool operator==(const SmallMessage&) const = default;
};

/// Derives the parameters from a round trip and the calls within it: L = RTT / 2 - o_s - o_r (Culler et al. 1996; LMO
/// paper, section 2). If the calls overlap and together exceed the one-way time, as in shared memory, L is 0, and o_s
/// and o_r divide RTT / 2 in proportion.
SmallMessage small_message(Picoseconds round_trip, Picoseconds send_overhead, Picoseconds receive_overhead);

/// Measures the parameters with messages of `bytes` bytes, by class. Collective.
std::vector<SmallMessage> measure_small_messages(const SampledPairs& pairs, Laboratory& laboratory, Bytes bytes);

}  // namespace tombolo
