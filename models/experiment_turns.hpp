#pragma once

#include <span>
#include <vector>

#include <tombolo/models/experiment_rounds.hpp>

namespace tombolo {

/// An experiment that a rank takes part in. Ranks go through their turns one after the other, each at its own pace, so
/// who waits for whom has to be said where two experiments must not overlap but no rank takes part in both.
struct Turn {
  int experiment = 0;           ///< its place in the batch
  Rank wait_for = -1;           ///< hear from that rank before it; -1: from nobody
  std::vector<Rank> tell = {};  ///< let these know when it is over
};

/// The turns of `rank`, in the order of the rounds. Ranks of one host never take part in two experiments at a time;
/// with `serial`, nobody does.
std::vector<Turn> turns_of(Rank rank, std::span<const Experiment> experiments, const ExperimentRounds& rounds,
                           std::span<const int> host_of, bool serial);

}  // namespace tombolo
