#pragma once

#include <functional>
#include <span>

#include <mpi.h>

#include <tombolo/collectives/calibrate/models/trials.hpp>
#include <tombolo/models/experiments/laboratory.hpp>

namespace tombolo {

/// Times the trials, all on the same ranks, and sets the measured times in their samples, the same on all ranks of
/// `all`. Other ranks sleep meanwhile. Calls `progress` before each trial, on the first of its ranks. Returns the cost.
/// Collective over `all`, whose ranks are those of the platform.
ExperimentCost time_trials(MPI_Comm all, std::span<Trial> trials, const Repeat& repeat,
                           const std::function<void(const Trial&)>& progress = {});

}  // namespace tombolo
