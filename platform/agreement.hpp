#pragma once

#include <vector>

#include <tombolo/platform/region.hpp>

namespace tombolo {

/// Hosts which all witnesses see alike, as far as the noise lets one tell: the smaller a real difference, the more hosts
/// it takes to be seen, so these groups are too small rather than too large. `most_noise`: what is never taken for noise.
Partition find_twins(const Region& region, double most_noise);

/// Joins groups, the most alike first, as long as the mean latencies of the two to every third group, to each other and
/// inside agree within `bound` (adaptive framework paper, section 3.3.2), but not two that are nearer to a third than
/// to each other. Means over all pairs of hosts are compared, so noise of single pairs averages out.
Partition join_agreeing(const Region& region, Partition groups, double bound);

/// Moves hosts to the group whose mean latencies are most like theirs, where that is not their own.
Partition settle_hosts(const Region& region, Partition groups);

}  // namespace tombolo
