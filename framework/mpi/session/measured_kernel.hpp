#pragma once

#include <span>
#include <string>
#include <vector>

#include <tombolo/collectives/mpi/run_platform.hpp>
#include <tombolo/framework/partition/stored_kernels.hpp>
#include <tombolo/session.hpp>

namespace tombolo {

/// Measures a kernel at its own sizes and adds the data to be stored: unit, conditions and date. Collective.
KernelSpeeds measured_kernel(Session& session, const Kernel& kernel, double seconds_per_size = kernel_seconds);

/// speeds_of() for ranks without a session.
std::vector<SpeedFunction> speeds_of(RunPlatform& ranks, const std::string& kernel);

}  // namespace tombolo
