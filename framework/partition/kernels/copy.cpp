#include <cstddef>
#include <cstring>
#include <vector>

#include <tombolo/framework/partition/call_rate.hpp>
#include <tombolo/framework/partition/kernels/built_in_kernels.hpp>

namespace tombolo {

/// A memory copy on one thread; size n: n bytes, each counted once.
Kernel copy_kernel() {
  const auto measure = [](std::int64_t size, double seconds_at_least) {
    const auto until = from_now(seconds_at_least);
    std::vector<char> from(static_cast<std::size_t>(size), 'a');
    std::vector<char> to(from.size());
    // The two buffers alternate, so that the compiler cannot drop a copy.
    const auto step = [&] {
      std::memcpy(to.data(), from.data(), from.size());
      from.swap(to);
    };
    return measure_call_rate(static_cast<double>(size), step, until);
  };
  return {.name = "copy", .unit = "B", .sizes = {1 << 14, 1 << 18, 1 << 22, 1 << 25}, .measure = measure};
}

}  // namespace tombolo
