#pragma once

#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Two hosts of a cluster while all its hosts exchange large messages in pairs.
struct LoadedPair {
  int a = 0;
  int b = 0;
  BytesPerSecond rate = 0;  ///< of each of the two messages
};

/// Splits the hosts of a cluster into groups that sit behind links of their own: under load, pairs across are slower
/// than pairs inside by more than `bound`, in the mean, and that more clearly than the same rates show it by chance.
/// Where they are not, the cluster is one group. Groups in the order of their first hosts, hosts ascending.
std::vector<std::vector<int>> split_by_load(const std::vector<int>& hosts, const std::vector<LoadedPair>& pairs,
                                            double bound);

}  // namespace tombolo
