#pragma once

#include <tombolo/platform/clustering.hpp>
#include <tombolo/platform/clustering/region.hpp>

namespace tombolo::clustering {

/// What measuring says of the hosts of a region: their logical clusters, and these in groups of clusters.
///
/// Where hosts neither agree nor differ by what each adds itself nor lie in islands, most would be clusters of their
/// own; no structure is invented for them, they are one cluster.
HostGroup measured_groups(const Region& region, double bound);

}  // namespace tombolo::clustering
