#pragma once

#include <span>
#include <vector>

namespace tombolo::clustering {

/// A latency measured between two hosts; ps.
struct MeasuredPair {
  int a = 0;
  int b = 0;
  double latency = 0;
};

/// What each of so many hosts adds to its latencies if latency(a, b) = own(a) + own(b): the parts, in ps and not
/// negative, with the least sum of squared relative errors. A constant beside them would change nothing: half of it is
/// in each own part. Where the pairs do not tell (two hosts), equal parts; 0 for hosts in no pair.
std::vector<double> own_terms(int hosts, std::span<const MeasuredPair> pairs);

}  // namespace tombolo::clustering
