#pragma once

#include <vector>

#include <tombolo/platform/clustering/region.hpp>

namespace tombolo::clustering {

/// Whether these clusters are hosts behind one switch, some slower than others: whether latencies between all their
/// hosts, and to every cluster outside, are explained by what each host adds itself. Such a network is one cluster,
/// however much its latencies differ. `members`: indices into `clusters`, which cover all hosts. False where there are
/// too few pairs to tell, and where a host is so much farther than the others that it is somewhere else.
bool is_star(const Region& region, const Partition& clusters, const std::vector<int>& members, double bound);

}  // namespace tombolo::clustering
