#pragma once

#include <functional>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/calibrate/scopes.hpp>
#include <tombolo/collectives/calibrate/stored_thresholds.hpp>
#include <tombolo/platform.hpp>

namespace tombolo {

/// Parameters of the search for thresholds.
struct ThresholdSearch {
  int repetitions = 20;                                     ///< of the gather of each size, on a real machine
  Picoseconds budget = Picoseconds{2'000} * 1'000'000'000;  ///< time limit of a size, in ps; the last one completes
};

/// Returns the scopes that may have thresholds, those of at least three ranks: a single sender cannot overrun a
/// receiver.
std::vector<Scope> threshold_scopes(const Platform& platform);

/// Called on a scope's first rank before each timed size, with the number of sizes done and the total, which grows when
/// additional or repeated sizes are needed.
using ThresholdProgress = std::function<void(const Scope&, std::size_t done, std::size_t of)>;

/// Measures the thresholds of linear scatters and gathers (thresholds.hpp) in each of threshold_scopes(), with its
/// first rank as root: 21 sizes from 256 B to 256 KiB by factors of the square root of 2, and sizes between them to
/// bracket M_1 to a sixteenth of the first size with outliers; fewer than 350 in all. Adds kappas if the platform has
/// an LMO model. The same on all ranks. Ranks outside a scope sleep meanwhile. Throws Error, on all ranks, for a
/// platform of another number of ranks than `all`, and for no repetitions. Collective over `all`.
std::vector<Thresholds> measure_thresholds(MPI_Comm all, const Platform& platform, const ThresholdSearch& search = {},
                                           const ThresholdProgress& progress = {});

}  // namespace tombolo
