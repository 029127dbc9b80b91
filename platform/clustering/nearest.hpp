#pragma once

#include <functional>

#include <tombolo/platform/clustering/region.hpp>

namespace tombolo::clustering {

/// How far two groups are from being one; infinite where they must not be. May stop counting above `enough`.
using Distance = std::function<double(int a, int b, double enough)>;

/// Joins all pairs of groups that are nearest to each other: what joining the nearest pair first would do, in few
/// rounds. False where there were none.
bool join_nearest(Partition& groups, const Distance& distance);

}  // namespace tombolo::clustering
