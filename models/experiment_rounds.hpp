#pragma once

#include <span>
#include <vector>

#include <tombolo/models/laboratory.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// Experiments, by their places in the batch, that are made at the same time.
using ExperimentRounds = std::vector<std::vector<int>>;

/// Puts every experiment into one round, so that no two of a round share a host and disturb one another. As few rounds
/// as a greedy choice finds: about as many as the host that has most to do has experiments. Of the experiments of a
/// host, those that come first in the batch are preferred. `host_of`: the host of each rank, numbered from 0. The same
/// on all ranks.
ExperimentRounds experiment_rounds(std::span<const Experiment> experiments, std::span<const int> host_of);

/// Each in a round of its own, in the order of the batch.
ExperimentRounds one_after_the_other(std::span<const Experiment> experiments);

/// The host of each rank, numbered in the order of their first ranks.
std::vector<int> hosts_of_ranks(const Platform& platform);

}  // namespace tombolo
