#pragma once

#include <vector>

#include <tombolo/platform/clustering/region.hpp>

namespace tombolo::clustering {

/// Groups hosts that all witnesses see with equal latencies, up to noise. The smaller a real difference, the more hosts
/// are needed to detect it; hence the groups are rather too small than too large. `bound`: as below, limits the
/// estimate of the noise.
Partition find_twins(const Region& region, double bound);

/// Merges groups, the most similar first, while the mean latencies of the two groups to every third group, to each
/// other and inside agree within `bound` (adaptive framework paper, section 3.3.2). Two groups that are nearer to a
/// third one than to each other are not merged, unless they may be slow hosts behind one switch. The means cover all
/// pairs of hosts, so noise of single pairs averages out.
Partition join_agreeing(const Region& region, Partition groups, double bound);

/// Mean latencies agree within the bound, or within this number of standard deviations of their noise, which equal
/// means hardly ever exceed.
constexpr double noise_of_means = 4.5;
constexpr double noise_of_pairs = 6.5;  ///< the same for single measurements, of which there are thousands

/// Hosts behind one switch are comparable if none is slower than most by more than this factor.
constexpr double slower_than_most = 10;

/// Moves hosts to the group with the most similar mean latencies, and out of a group with which they do not agree
/// within `bound`. Corrects errors made while groups had few hosts.
Partition settle_hosts(const Region& region, const Partition& groups, double bound);

}  // namespace tombolo::clustering
