#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/shares.hpp>

namespace tombolo {

/// The conditions of a kernel measurement.
struct KernelConditions {
  std::string version = {};                   ///< Kernel::version
  std::vector<std::int64_t> sizes = {};       ///< Kernel::sizes; empty: unknown
  std::vector<int> threads = {};              ///< BLAS threads by rank
  std::vector<std::int64_t> millicores = {};  ///< CPU quota by rank; 0: no quota; empty: unknown
  bool operator==(const KernelConditions&) const = default;
};

/// Returns true if speeds measured under `kept` hold for `now`: equal conditions, except for quotas that differ by at
/// most a twentieth. Unknown conditions never hold.
bool hold_for(const KernelConditions& kept, const KernelConditions& now);

/// The measured speeds of one kernel.
struct KernelSpeeds {
  std::string unit = {};                    ///< Kernel::unit
  KernelConditions conditions = {};         ///< of the measurement
  std::string date = {};                    ///< of the measurement, "2026-11-20"; empty: unknown or simulated
  std::vector<SpeedFunction> by_rank = {};  ///< operations per second by problem size
  bool operator==(const KernelSpeeds&) const = default;
};

/// Returns the date of the measurement for people: "dgemm: measured 2026-11-20".
std::string when_measured(const std::string& kernel, const KernelSpeeds& speeds);

/// Stores a kernel's speeds in the section kernels_section of a platform file, in place of earlier speeds of this name;
/// other kernels stay. Throws Error if the present section is malformed.
///
///     "kernels": {"dgemm": {"unit": "flop", "version": "", "sizes": [128, 256], "threads": [1, 1],
///                           "quota_millicores": [0, 500], "measured": "2026-11-20",
///                           "speeds": [[[128, 21e9], [256, 25e9]], [[128, 9e9]]]}}
///
/// Older files have only unit, threads and speeds.
void store_kernel(Platform& platform, const std::string& name, const KernelSpeeds& speeds);

/// Stores all kernels of a platform in `part`, the platform of its ranks `members`.
void store_kernels_of_part(const Platform& platform, const std::vector<Rank>& members, Platform& part);

/// Drops the speeds of this name from the section, so that the next use measures again; returns true if there were any.
/// Throws Error as above.
bool drop_kernel(Platform& platform, const std::string& name);

/// Returns the stored speeds by kernel name; empty without such a section. Throws Error for a malformed section: not an
/// object, members missing or of another type, other numbers of ranks than the platform's, sizes that do not ascend.
std::map<std::string, KernelSpeeds> stored_kernels(const Platform& platform);

}  // namespace tombolo
