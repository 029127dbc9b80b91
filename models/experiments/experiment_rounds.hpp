#pragma once

#include <span>
#include <vector>

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/platform/description/platform.hpp>

namespace tombolo {

/// Rounds of concurrent experiments, by index in the batch.
using ExperimentRounds = std::vector<std::vector<int>>;

/// Schedules experiments in rounds such that no two experiments of a round share a host, where they would disturb each
/// other. Greedy: about as many rounds as the busiest host has experiments. Among the experiments of a host, earlier
/// ones in the batch are preferred. `host_of`: the host of each rank, numbered from 0. Equal on all ranks.
ExperimentRounds experiment_rounds(std::span<const Experiment> experiments, std::span<const int> host_of);

/// One round per experiment, in the order of the batch.
ExperimentRounds one_after_the_other(std::span<const Experiment> experiments);

/// The host of each rank; hosts are numbered in the order of their first ranks.
std::vector<int> hosts_of_ranks(const Platform& platform);

}  // namespace tombolo
