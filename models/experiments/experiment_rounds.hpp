#pragma once

#include <span>
#include <vector>

#include <tombolo/models/experiments/experiment_places.hpp>
#include <tombolo/models/experiments/laboratory.hpp>

namespace tombolo {

/// Rounds of concurrent experiments, by index in the batch.
using ExperimentRounds = std::vector<std::vector<int>>;

/// Schedules experiments in rounds such that the experiments of a round do not disturb each other: no two share a host,
/// and no more than may an uplink or a backbone. Greedy: about as many rounds as the busiest place has experiments.
/// Among the experiments of a host, earlier ones in the batch are preferred. Equal on all ranks.
ExperimentRounds experiment_rounds(std::span<const Experiment> experiments, const ExperimentPlaces& places);

/// One round per experiment, in the order of the batch.
ExperimentRounds one_after_the_other(std::span<const Experiment> experiments);

/// An experiment with this rank as participant. Each rank processes its turns in order and at its own pace; experiments
/// that must not overlap but have no common participant are ordered by messages.
struct Turn {
  int experiment = 0;               ///< index in the batch
  std::vector<Rank> wait_for = {};  ///< ranks whose notifications precede this turn
  std::vector<Rank> tell = {};      ///< ranks to notify after this turn
};

/// Returns the turns of `rank`, in the order of the rounds. Ranks of one host never take part in two experiments at a
/// time, and no more experiments than may share an uplink or a backbone; `serial` admits one experiment at a time on
/// the whole platform.
std::vector<Turn> turns_of(Rank rank, std::span<const Experiment> experiments, const ExperimentRounds& rounds,
                           const ExperimentPlaces& places, bool serial);

}  // namespace tombolo
