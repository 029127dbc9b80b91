#pragma once

#include <map>
#include <string>
#include <vector>

#include <tombolo/framework/speed_function.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// What has been measured of one kernel.
struct KernelSpeeds {
  std::string unit;                    ///< Kernel::unit
  std::vector<int> threads;            ///< of BLAS, by rank, with which it was measured
  std::vector<SpeedFunction> by_rank;  ///< operations per second by problem size
  bool operator==(const KernelSpeeds&) const = default;
};

/// The member of a platform file which holds them:
///
///     "kernels": {"dgemm": {"unit": "flop", "threads": [1, 1], "speeds": [[[128, 21e9], [256, 25e9]], [[128, 9e9]]]}}
constexpr const char* kernels_section = "kernels";

/// Puts a kernel's speeds into that section, in place of those of its name; others stay. Throws Error where the section
/// that is there is not right.
void store_kernel(Platform& platform, const std::string& name, const KernelSpeeds& speeds);

/// Those of the platform by name; none where it has no such section. Throws Error for a section that is not right: no
/// object, members that are missing or of another type, other numbers of ranks than the platform's, sizes that do not
/// ascend.
std::map<std::string, KernelSpeeds> stored_kernels(const Platform& platform);

}  // namespace tombolo
