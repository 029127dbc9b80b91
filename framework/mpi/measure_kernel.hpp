#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tombolo/framework/kernel.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/framework/stored_kernels.hpp>

namespace tombolo {

/// How long is measured at each size, unless stated otherwise.
constexpr double kernel_seconds = 0.1;

/// The speeds of a kernel on every rank, each size measured on all ranks at the same time, as they will run, and for
/// about so many seconds. A rank for which a size took twice as long leaves out the larger ones. In a simulation the
/// speed is that of the rank's processor, an operation of the kernel one of the processor's. The same on all ranks.
/// Throws AgreedError for no sizes, for sizes that do not ascend from 1 on, and where measuring fails on a rank.
/// Collective.
std::vector<SpeedFunction> measure_kernel(Session& session, const Kernel& kernel, std::span<const std::int64_t> sizes,
                                          double seconds_per_size = kernel_seconds);

/// The same, with what is to be stored of it.
KernelSpeeds measured_kernel(Session& session, const Kernel& kernel, double seconds_per_size = kernel_seconds);

/// The speeds of a kernel by its name: those that the platform of this run holds, where they were measured with as many
/// threads as ranks have now; else they are measured, some tenths of a second, and remembered in the platform, which is
/// kept for later runs (Session::remember). The same on all ranks. Throws AgreedError where they are not stored and no
/// kernel is registered under this name, and for a section of the platform that is not right. Collective.
std::vector<SpeedFunction> speeds_of(Session& session, const std::string& kernel);

}  // namespace tombolo
