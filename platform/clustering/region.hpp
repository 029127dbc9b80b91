#pragma once

#include <cstddef>
#include <vector>

#include <tombolo/platform/clustering/latencies.hpp>

namespace tombolo::clustering {

/// Disjoint sets of hosts, numbered as in a Region; each ascending.
using Partition = std::vector<std::vector<int>>;

/// The latencies among some hosts, as natural logarithms: only ratios of latencies are compared, and a mean of
/// logarithms is symmetric in the two latencies of a ratio. A constant is added to all latencies, so that two latencies
/// that differ by the noise floor, by a processor's overhead, or by `bound` relatively, are within `bound` of each
/// other.
class Region {
 public:
  /// `hosts`: as numbered in `latencies`; renumbered here as 0, 1, ...
  Region(const Latencies& latencies, std::vector<int> hosts, double bound);

  int size() const { return static_cast<int>(hosts_.size()); }
  /// The host's number in the latencies.
  int host(int i) const { return hosts_[static_cast<std::size_t>(i)]; }
  bool measured(int i, int j) const { return logs_[index(i, j)] >= 0; }
  /// ln(latency / ps) of a measured pair, with the added constant; never negative.
  double log(int i, int j) const { return logs_[index(i, j)]; }
  /// The hosts that were measured with most other hosts; two hosts are compared by their latencies to the witnesses.
  const std::vector<int>& witnesses() const { return witnesses_; }
  /// The relative standard deviation of latencies that should be equal, estimated from pairs of most similar hosts. At
  /// most 40 % of `bound`, so that noise does not hide a difference of `bound`; 0 if even the most similar hosts differ
  /// by more than 60 % of `bound`, since such hosts are not equal.
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

/// The mean latencies between and inside the groups of a partition.
class Blocks {
 public:
  Blocks(const Region& region, const Partition& groups);

  int size() const { return size_; }
  /// The number of measured host pairs between two groups, or inside one.
  int count(int a, int b) const { return counts_[index(a, b)]; }
  /// The mean of ln(latency / ps) over these pairs; 0 if there are none.
  double mean(int a, int b) const { return means_[index(a, b)]; }

 private:
  std::size_t index(int a, int b) const {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(b);
  }

  int size_;
  std::vector<double> means_;
  std::vector<int> counts_;
};

/// Returns the group of every host; -1 for hosts in no group.
std::vector<int> group_of(int hosts, const Partition& groups);

}  // namespace tombolo::clustering
