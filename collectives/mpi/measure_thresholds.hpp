#pragma once

#include <functional>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/scopes.hpp>
#include <tombolo/collectives/stored_thresholds.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// How a scope's thresholds are looked for.
struct ThresholdSearch {
  int repetitions = 20;  ///< of the gather of each size, on a real machine
  Picoseconds budget =
      Picoseconds{2'000} * 1'000'000'000;  ///< of these, in ps, where they take longer; the last one ends
};

/// The scopes that may have thresholds, those of three ranks and more: a single sender cannot overrun anything.
std::vector<Scope> threshold_scopes(const Platform& platform);

/// Called on a scope's first rank before each size that is timed, with how many of how many have been; that grows where
/// sizes in between, or the same once more, turn out to be needed.
using ThresholdProgress = std::function<void(const Scope&, std::size_t done, std::size_t of)>;

/// The thresholds of linear scatters and gathers (thresholds.hpp) in each of threshold_scopes(), its first rank the
/// root: 21 sizes from 256 B to 256 KiB, each time by the square root of 2 larger, and between them those that close in
/// on M_1, to a sixteenth of the first size that escalates; fewer than 350 in all. Kappas where the platform has an LMO
/// model. The same on all ranks. Ranks that have no part in a scope wait asleep. Throws Error, on all ranks, for a
/// platform of other ranks than those of `all`, and for no repetitions. Collective over `all`.
std::vector<Thresholds> measure_thresholds(MPI_Comm all, const Platform& platform, const ThresholdSearch& search = {},
                                           const ThresholdProgress& progress = {});

}  // namespace tombolo
