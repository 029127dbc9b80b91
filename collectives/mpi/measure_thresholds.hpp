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

/// The thresholds of linear scatters and gathers (thresholds.hpp) in each of the platform's scopes of three ranks and
/// more (a single sender cannot overrun anything), its first rank the root: 21 sizes from 256 B to 256 KiB, each time
/// by the square root of 2 larger, and between them those that close in on M_1, to a sixteenth of the first size that
/// escalates. Corrections of slopes where the platform has an LMO model. The same on all ranks. Ranks that have no part
/// in a scope wait asleep. `progress` is called before each scope, on its root. Collective over `all`, whose ranks are
/// those of the platform.
std::vector<Thresholds> measure_thresholds(MPI_Comm all, const Platform& platform, const ThresholdSearch& search = {},
                                           const std::function<void(const Scope&)>& progress = {});

}  // namespace tombolo
