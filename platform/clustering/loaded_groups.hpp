#pragma once

#include <vector>

#include <tombolo/units.hpp>

namespace tombolo {

/// Two hosts of a cluster, measured while all its hosts exchange large messages in pairs.
struct LoadedPair {
  int a = 0;
  int b = 0;
  BytesPerSecond rate = 0;  ///< rate of each of the two messages; B/s
};

/// Splits the hosts of a cluster into groups behind separate links: under load, pairs across groups are slower on
/// average than pairs inside by more than `bound`, and by more than chance would explain. Without such a split the
/// cluster is one group. Groups in the order of their first hosts, hosts ascending.
std::vector<std::vector<int>> split_by_load(const std::vector<int>& hosts, const std::vector<LoadedPair>& pairs,
                                            double bound);

}  // namespace tombolo
