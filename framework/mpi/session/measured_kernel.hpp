#pragma once

#include <tombolo/framework/partition/stored_kernels.hpp>
#include <tombolo/session.hpp>

namespace tombolo {

/// Measures a kernel at its own sizes and adds the data to be stored: unit, conditions and date. Collective.
KernelSpeeds measured_kernel(Session& session, const Kernel& kernel, double seconds_per_size = kernel_seconds);

}  // namespace tombolo
