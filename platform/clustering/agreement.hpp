#pragma once

#include <vector>

#include <tombolo/platform/clustering/region.hpp>

namespace tombolo::clustering {

/// Hosts which all witnesses see alike, as far as the noise lets one tell: the smaller a real difference, the more
/// hosts it takes to be seen, so these groups are too small rather than too large. `bound`: as below, for what noise
/// can be.
Partition find_twins(const Region& region, double bound);

/// Joins groups, the most alike first, as long as the mean latencies of the two to every third group, to each other and
/// inside agree within `bound` (adaptive framework paper, section 3.3.2), but not two that are nearer to a third than
/// to each other. Means over all pairs of hosts are compared, so noise of single pairs averages out.
Partition join_agreeing(const Region& region, Partition groups, double bound);

/// Mean latencies agree if they do within the bound, or if they differ by no more than so many standard deviations of
/// what noise leaves of them: it hardly ever makes that much of equal ones.
constexpr double noise_of_means = 4.5;
constexpr double noise_of_pairs = 6.5;  ///< the same, of single measurements where there are thousands

/// Moves hosts to the group whose mean latencies are most like theirs, if that is not their own, and out of groups with
/// which they do not agree within `bound`: what went wrong with few hosts shows when there are more.
Partition settle_hosts(const Region& region, const Partition& groups, double bound);

}  // namespace tombolo::clustering
