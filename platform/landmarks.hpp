#pragma once

#include <set>
#include <vector>

#include <tombolo/platform/clustering.hpp>

namespace tombolo {

/// Which hosts should become landmarks, too, where latencies are only measured between some hosts, the landmarks, and
/// all others, and `groups` were found from those. Every cluster needs two, to know what is between its hosts; and a
/// host that the landmarks of its cluster see unlike each of themselves, by more than `bound`, may be of a cluster of
/// its own in which no landmark is yet. Of a cluster those first that come first in `candidates`, which are all hosts;
/// nothing where all is well.
std::vector<int> missing_landmarks(const HostGroup& groups, const Latencies& latencies, const std::set<int>& landmarks,
                                   const std::vector<int>& candidates, double bound);

}  // namespace tombolo
