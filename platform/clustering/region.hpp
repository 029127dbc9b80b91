#pragma once

#include <cstddef>
#include <vector>

#include <tombolo/platform/latencies.hpp>

namespace tombolo::clustering {

/// Disjoint sets of hosts, by their numbers in a Region; each ascending.
using Partition = std::vector<std::vector<int>>;

/// The latencies of some hosts among themselves, as natural logarithms: what is compared is always how many times one
/// latency is another, and a mean of logarithms does not mind which of the two was the larger. All are raised by so
/// much that two which differ by the noise floor or a processor's overhead, or by `bound` as a part, are within `bound`
/// of each other.
class Region {
 public:
  /// `hosts`: by their numbers in `latencies`; here they are 0, 1, ...
  Region(const Latencies& latencies, std::vector<int> hosts, double bound);

  int size() const { return static_cast<int>(hosts_.size()); }
  /// What the latencies call this host.
  int host(int i) const { return hosts_[static_cast<std::size_t>(i)]; }
  bool measured(int i, int j) const { return logs_[index(i, j)] >= 0; }
  /// ln(latency / ps), the latency raised, where measured; never negative.
  double log(int i, int j) const { return logs_[index(i, j)]; }
  /// The hosts that most others were measured with, so that others can be compared by how they see them.
  const std::vector<int>& witnesses() const { return witnesses_; }
  /// By how much latencies which should be equal differ from their mean (a standard deviation, relative): estimated
  /// from hosts and those that see all others most alike. No more than 40 % of `bound`, lest noise hide what the bound
  /// would show; and none where even the most similar hosts differ by more than 60 % of it, for these are not alike.
  double noise(double bound) const { return noise_ > 0.6 * bound ? 0 : noise_ < 0.4 * bound ? noise_ : 0.4 * bound; }

 private:
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(i) * hosts_.size() + static_cast<std::size_t>(j);
  }
  void find_witnesses();
  void estimate_noise();

  std::vector<int> hosts_;
  std::vector<double> logs_;  // -1: not measured
  std::vector<int> witnesses_;
  double noise_ = 0;
};

}  // namespace tombolo::clustering
