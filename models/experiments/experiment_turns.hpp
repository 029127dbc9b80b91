#pragma once

#include <span>
#include <vector>

#include <tombolo/models/experiments/experiment_rounds.hpp>

namespace tombolo {

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
