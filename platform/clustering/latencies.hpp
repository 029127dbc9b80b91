#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// The measured latencies between hosts, possibly incomplete: symmetric, in picoseconds, without the overheads of the
/// two processors.
class Latencies {
 public:
  explicit Latencies(int hosts);

  int hosts() const { return hosts_; }
  void set(int a, int b, Measured latency);
  /// None if the pair was not measured, and for a == b.
  std::optional<Measured> between(int a, int b) const;

  /// The processor time of a message beside any latency (LogP's o). Smaller differences between latencies do not matter
  /// to a sender. Default: 0.
  void set_overhead(Picoseconds overhead) { overhead_ = overhead; }
  Picoseconds overhead() const { return overhead_; }

 private:
  std::size_t index(int a, int b) const;

  int hosts_;
  Picoseconds overhead_ = 0;
  std::vector<Measured> pairs_;  // value -1: not measured
};

}  // namespace tombolo

namespace tombolo::clustering {

/// Returns the largest difference between two short latencies of these hosts that noise alone explains, in ps; 0 if the
/// figures are exact. Two latencies differ for certain if their intervals are disjoint, so the floor is twice an error:
/// for each host, the third quartile of the errors among its latencies that may equal its shortest one; over the hosts,
/// the third quartile again. Errors of longer latencies are ignored, since disturbances of a long link do not affect a
/// short one; so are those of latencies ten times as long, however uncertain they are.
Picoseconds noise_floor(const Latencies& latencies, const std::vector<int>& hosts, double bound);

/// Returns the pairs of these hosts whose latency has an error too large to be informative: larger than `bound` times
/// the latency plus `usual`, the usual error or the processor overhead. Such pairs are ignored in favour of informative
/// ones, but every host keeps half of its pairs, those with the smaller errors. Symmetric, at index i * hosts + j.
std::vector<bool> doubtful_pairs(const Latencies& latencies, const std::vector<int>& hosts, double bound,
                                 Picoseconds usual);

}  // namespace tombolo::clustering

namespace tombolo {

/// Two hosts, the lower number first.
using HostPair = std::pair<int, int>;

/// Returns the pairs whose latency is too uncertain for a comparison within `bound`: the error is more than a quarter
/// of the allowed difference, `bound` times the latency plus a processor's overhead.
std::vector<HostPair> unsure_pairs(const Latencies& latencies, double bound);

/// Returns true if over a tenth of the measured latencies have errors larger than themselves: something has delayed
/// many messages while they were measured.
bool were_disturbed(const Latencies& latencies);

/// Returns the number of channels, that is of concurrent measurements, needed to measure all these pairs within `time`.
/// The number is as small as possible, since concurrent measurements may disturb each other. A pair takes `repetitions`
/// round trips, and `meeting` until both ranks have arrived.
int least_lanes(const Latencies& latencies, const std::vector<HostPair>& pairs, int repetitions, Picoseconds meeting,
                Picoseconds time);

}  // namespace tombolo
