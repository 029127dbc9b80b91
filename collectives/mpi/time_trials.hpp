#pragma once

#include <functional>
#include <span>

#include <mpi.h>

#include <tombolo/collectives/trials.hpp>
#include <tombolo/models/laboratory.hpp>

namespace tombolo {

/// Carries out the trials, which are all on the same ranks, and enters what was measured into their samples, the same
/// on all ranks of `all`. Ranks that have no part in them wait asleep. `progress` is called before each, on the lowest
/// of the ranks. Returns what it cost. Collective over `all`, whose ranks are those of the platform.
Cost time_trials(MPI_Comm all, std::span<Trial> trials, const Repeat& repeat,
                 const std::function<void(const Trial&)>& progress = {});

}  // namespace tombolo
