#include <cstddef>
#include <cstring>
#include <vector>

#include <tombolo/framework/built_in_kernels.hpp>
#include <tombolo/framework/call_rate.hpp>

namespace tombolo {

/// Copying in memory on one thread; of size n: n bytes, each counted once.
Kernel copy_kernel() {
  const auto measure = [](std::int64_t size, double seconds_at_least) {
    const auto until = from_now(seconds_at_least);
    std::vector<char> from(static_cast<std::size_t>(size), 'a');
    std::vector<char> to(from.size());
    // The two take turns, so that no copy is without effect and left out.
    const auto step = [&] {
      std::memcpy(to.data(), from.data(), from.size());
      from.swap(to);
    };
    return measure_call_rate(static_cast<double>(size), step, until);
  };
  return {.name = "copy", .unit = "B", .sizes = {1 << 14, 1 << 18, 1 << 22, 1 << 25}, .measure = measure};
}

}  // namespace tombolo
