#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tombolo {

/// A computation whose speed decides the shares of ranks: the work of an application on one rank's part.
struct Kernel {
  std::string name;  ///< letters, digits, '-', '_', '.'
  std::string unit;  ///< unit of operations: "flop", "B"
  /// Problem sizes to measure, ascending; the kernel defines the meaning of a size (n of n x n, bytes, rows).
  std::vector<std::int64_t> sizes;
  /// Returns the speed at a size, in operations per second, at least 1; takes about seconds_at_least, or a few calls if
  /// that is longer. May throw, for example std::bad_alloc.
  std::function<std::int64_t(std::int64_t size, double seconds_at_least)> measure;
  /// Version, to be changed with the code of the kernel: speeds of another version are measured again.
  std::string version = {};
  /// The name of the kernel's speeds in a platform file. register_kernel() replaces an empty name by PROGRAM/NAME, so
  /// that programs do not share speeds of unrelated kernels of one name.
  std::string kept_as = {};
};

/// Returns a kernel from a function that does the work of one problem of a size and returns its number of operations;
/// measured by measure_call_rate() (call_rate.hpp), after one more call.
///
///     register_kernel(kernel_of("dot", "flop", {1000, 1'000'000}, [](std::int64_t n) { return dot_of_length(n); }));
///
/// Allocations in `work` are part of the measured time. `measure` throws Error if the number of operations is not
/// positive.
Kernel kernel_of(std::string name, std::string unit, std::vector<std::int64_t> sizes,
                 std::function<double(std::int64_t size)> work);

/// Returns the kernel of this name, built in (partition/kernel.cpp) or registered; null if there is none.
const Kernel* find_kernel(const std::string& name);

/// Returns the kernel of this name. Throws Error, with the list of kernels, if there is none.
const Kernel& known_kernel(const std::string& name);

/// Registers a kernel under its name in this process; all ranks must register it. PROGRAM in `kept_as` is the name of
/// the executable, without folders. Throws Error for a name that is taken or has other characters, for no sizes, sizes
/// below 1 or not ascending, and for a missing `measure`.
void register_kernel(Kernel kernel);

/// Returns the names of all kernels, sorted.
std::vector<std::string> kernel_names();

}  // namespace tombolo
