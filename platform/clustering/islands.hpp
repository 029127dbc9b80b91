#pragma once

#include <vector>

#include <tombolo/platform/clustering/blocks.hpp>

namespace tombolo::clustering {

/// Sets of clusters that are nearer to each other, by more than `bound`, than any of them is to a cluster outside. Any
/// two of them are nested or apart; inner ones come first, and the set of all clusters last. Ascending indices.
std::vector<std::vector<int>> near_sets(const Blocks& blocks, double bound);

/// Whether a cluster is nearer to itself, by more than `bound`, than to any other.
bool stands_alone(const Blocks& blocks, int cluster, double bound);

/// Whether the latencies of all these clusters to every cluster outside agree within `bound`, but for the noise.
bool agree_outside(const Blocks& blocks, const std::vector<int>& set, double noise, double bound);

}  // namespace tombolo::clustering
