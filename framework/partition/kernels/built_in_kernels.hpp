#pragma once

#include <tombolo/framework/kernel.hpp>

namespace tombolo {

#define TOMBOLO_KERNEL(name) Kernel name();
#include <tombolo/framework/partition/kernels/built_in_kernels.def>
#undef TOMBOLO_KERNEL

}  // namespace tombolo
