#pragma once

#include <span>
#include <vector>

namespace tombolo::clustering {

/// The measured latency between two hosts, in ps.
struct MeasuredPair {
  int a = 0;
  int b = 0;
  double latency = 0;
};

/// Fits the model latency(a, b) = own(a) + own(b) and returns own by host, in ps: not negative, with the least sum of
/// squared relative errors. A further constant would be redundant, since half of it is in each own part. If the pairs
/// do not determine the parts (two hosts), equal parts; 0 for hosts in no pair.
std::vector<double> own_terms(int hosts, std::span<const MeasuredPair> pairs);

}  // namespace tombolo::clustering
