#pragma once

#include <span>
#include <vector>

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/platform.hpp>

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

/// An experiment with this rank as participant. Each rank processes its turns in order and at its own pace; experiments
/// that must not overlap but have no common participant are ordered by messages.
struct Turn {
  int experiment = 0;           ///< index in the batch
  Rank wait_for = -1;           ///< rank whose notification precedes this turn; -1: none
  std::vector<Rank> tell = {};  ///< ranks to notify after this turn
};

/// Returns the turns of `rank`, in the order of the rounds. Ranks of one host never take part in two experiments at a
/// time; `serial` admits one experiment at a time on the whole platform.
std::vector<Turn> turns_of(Rank rank, std::span<const Experiment> experiments, const ExperimentRounds& rounds,
                           std::span<const int> host_of, bool serial);

}  // namespace tombolo
