#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tombolo/framework/kernel.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/framework/partition/stored_kernels.hpp>

namespace tombolo {

/// Default measuring time at each size, in seconds.
constexpr double kernel_seconds = 0.1;

/// Measures the speeds of a kernel on every rank: each size on all ranks simultaneously, for about seconds_per_size. A
/// rank that took more than twice that time for a size skips larger sizes. In a simulation, the speed of the rank's
/// processor: an operation of the kernel is an operation of the processor. Returns the same on all ranks. Throws
/// AgreedError for no sizes, for sizes that do not ascend from 1 on, and if measuring fails on a rank. Collective.
std::vector<SpeedFunction> measure_kernel(Session& session, const Kernel& kernel, std::span<const std::int64_t> sizes,
                                          double seconds_per_size = kernel_seconds);

/// Measures a kernel at its own sizes and adds the data to be stored: unit, conditions and date. Collective.
KernelSpeeds measured_kernel(Session& session, const Kernel& kernel, double seconds_per_size = kernel_seconds);

/// Returns the speeds of a kernel by name. Stored speeds in the platform of this run are used if they were measured for
/// the same version at the same sizes, with the threads and the CPU quotas that ranks have now (hold_for). Else the
/// kernel is measured, for a few tenths of a second, and the speeds are remembered in the platform for later runs
/// (Session::remember). For a kernel that is not registered, version and sizes are not checked. Returns the same on all
/// ranks. Throws AgreedError if no stored speeds hold and no kernel is registered under this name, and for a malformed
/// section of the platform. Collective.
std::vector<SpeedFunction> speeds_of(Session& session, const std::string& kernel);

/// Returns the date of the stored speeds of a kernel in the platform of this run, for people: "dgemm: measured
/// 2026-11-20"; empty if there are none. Throws as Session::platform(). Local.
std::string when_measured(const Session& session, const std::string& kernel);

/// Drops the speeds of a kernel from the platform of this run and of later runs, so that the next use measures again:
/// after a run that contradicted the speeds (belied_speed.hpp). A platform file that the user named is not changed.
/// Collective.
void forget_speeds_of(Session& session, const std::string& kernel);

}  // namespace tombolo
