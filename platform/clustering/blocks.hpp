#pragma once

#include <cstddef>
#include <vector>

#include <tombolo/platform/clustering/region.hpp>

namespace tombolo::clustering {

/// The mean latencies between and inside the groups of a partition.
class Blocks {
 public:
  Blocks(const Region& region, const Partition& groups);

  int size() const { return size_; }
  /// Measured pairs of hosts between two groups, or inside one.
  int count(int a, int b) const { return counts_[index(a, b)]; }
  /// Of ln(latency / ps), over those pairs; 0 where there are none.
  double mean(int a, int b) const { return means_[index(a, b)]; }

 private:
  std::size_t index(int a, int b) const {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(b);
  }

  int size_;
  std::vector<double> means_;
  std::vector<int> counts_;
};

/// The group of every host; -1 for hosts in none.
std::vector<int> group_of(int hosts, const Partition& groups);

}  // namespace tombolo::clustering
