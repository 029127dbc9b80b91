#pragma once

#include <span>
#include <vector>

#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/platform/clustering/latencies.hpp>

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

namespace tombolo {

/// The decomposition of the latencies of a partition into the hosts' own parts and the remainders between and inside
/// clusters; all in ps.
struct LatencyParts {
  std::vector<Measured> own;      ///< by host
  std::vector<Measured> inside;   ///< by cluster: the remainder between two of its hosts
  std::vector<Measured> between;  ///< by pair of clusters, as numbered by link_index()
};

/// Splits latencies into own + between + own with the best fit to all measured pairs. Clusters are numbered
/// depth-first. No part is negative.
///
/// Hosts of a cluster differ by their own parts only, so `inside` is 0 unless own parts would exceed the latency to
/// another cluster. Two hosts of a cluster take half each, a single host takes 0; a host without a latency inside its
/// cluster takes the average of the others. For two clusters without a measurement, `between` is the shortest path over
/// a third cluster. Errors are those of the measurements or of the fit, whichever is larger.
LatencyParts split_latencies(const Latencies& latencies, const HostGroup& groups);

}  // namespace tombolo
