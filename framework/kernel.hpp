#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tombolo {

/// A computation whose speed decides how work is shared out: what an application does with its part, on one rank.
struct Kernel {
  std::string name;  ///< letters, digits, '-', '_', '.'
  std::string unit;  ///< of its operations: "flop", "B"
  /// Problem sizes to measure at, ascending; what a size counts is for the kernel to say (n of n x n, bytes, rows).
  std::vector<std::int64_t> sizes;
  /// The speed at a size, in operations per second, 1 or more; measuring takes about so many seconds, or a few calls if
  /// that is longer. May throw, std::bad_alloc say.
  std::function<std::int64_t(std::int64_t size, double seconds_at_least)> measure;
};

/// A kernel made of a function that does the work of one problem of a size and returns the number of its operations;
/// measured as measure_call_rate() does (call_rate.hpp), after one more call.
///
///     register_kernel(kernel_of("dot", "flop", {1000, 1'000'000}, [](std::int64_t n) { return dot_of_length(n); }));
///
/// What `work` allocates is measured with it. Its `measure` throws Error where the number of operations is not
/// positive.
Kernel kernel_of(std::string name, std::string unit, std::vector<std::int64_t> sizes,
                 std::function<double(std::int64_t size)> work);

/// The kernel of this name, built in (built_in_kernels.def) or registered; null where there is none.
const Kernel* find_kernel(const std::string& name);

/// The same. Throws Error, which lists those there are, where there is none.
const Kernel& known_kernel(const std::string& name);

/// Makes a kernel known by its name, to this process for as long as it runs; all ranks must. Throws Error for a name
/// that is taken or has other characters, for no sizes, sizes below 1 or not ascending, and for one that measures
/// nothing.
void register_kernel(Kernel kernel);

/// The names of all, sorted.
std::vector<std::string> kernel_names();

}  // namespace tombolo
