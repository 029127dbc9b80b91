#include <cstddef>
#include <vector>

#include <tombolo/framework/partition/call_rate.hpp>
#include <tombolo/framework/partition/kernels/built_in_kernels.hpp>

namespace tombolo {

namespace {

constexpr double flops_per_point = 4;

/// One sweep over the points of an n x n plate; rows, with two border points, are n + 2 apart.
void sweep(std::size_t n, const double* from, double* to) {
  const std::size_t width = n + 2;
  for (std::size_t row = 1; row <= n; ++row) {
    const double* const here = from + row * width;
    double* const there = to + row * width;
    for (std::size_t column = 1; column <= n; ++column) {
      there[column] = 0.25 * (here[column - width] + here[column + width] + here[column - 1] + here[column + 1]);
    }
  }
}

std::int64_t measure(std::int64_t size, double seconds_at_least) {
  const auto until = from_now(seconds_at_least);
  const auto n = static_cast<std::size_t>(size);
  std::vector<double> one((n + 2) * (n + 2), 1.0);
  std::vector<double> other = one;
  const auto step = [&] {
    sweep(n, one.data(), other.data());
    one.swap(other);
  };
  return measure_call_rate(flops_per_point * static_cast<double>(n) * static_cast<double>(n), step, until);
}

}  // namespace

/// Jacobi sweeps over a plate in double, each point the mean of its four neighbours, on one thread; size n: n x n
/// points, 4 n^2 flop a sweep. Memory-bound once two plates, 16 n^2 bytes, exceed the caches.
Kernel stencil_kernel() {
  return {.name = "stencil", .unit = "flop", .sizes = {64, 128, 256, 512, 1024, 2048}, .measure = measure};
}

}  // namespace tombolo
