#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/matrix/random_matrix.hpp>
#include <tombolo/framework/partition/call_rate.hpp>
#include <tombolo/framework/partition/kernel_speed.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {
namespace {

constexpr GemmShape largest_probe{1024, 2048, 768};

double elements(GemmShape s) {
  const auto m = static_cast<double>(s.m);
  const auto n = static_cast<double>(s.n);
  const auto k = static_cast<double>(s.k);
  return m * k + k * n + m * n;
}

bool fits(GemmShape s) {
  return flops(s) <= flops(largest_probe) && elements(s) <= elements(largest_probe);
}

template <class T>
std::vector<T> random_values(std::int64_t rows, std::int64_t columns, std::uint64_t stream) {
  std::vector<T> values(static_cast<std::size_t>(rows * columns));
  fill_random(1, stream, 0, rows, columns, values.data());
  return values;
}

}  // namespace

GemmShape gemm_probe_shape(GemmShape product) {
  GemmShape probe{std::min(product.m, largest_probe.m), std::min(product.n, largest_probe.n),
                  std::min(product.k, largest_probe.k)};
  for (auto dimension : {&GemmShape::k, &GemmShape::n, &GemmShape::m}) {
    for (GemmShape grown = probe; grown.*dimension < product.*dimension; probe = grown) {
      grown.*dimension = std::min(2 * probe.*dimension, product.*dimension);
      if (!fits(grown)) break;
    }
  }
  return probe;
}

template <class T>
FlopsPerSecond measure_gemm_speed(GemmShape call, double seconds_at_least) {
  if (call.m < 1 || call.n < 1 || call.k < 1) {
    throw Error(fmt::format("a speed to measure on a product of {} x {} by {} x {}", call.m, call.k, call.k, call.n),
                "give a product with at least one element in every matrix");
  }
  const auto until = from_now(seconds_at_least);
  const auto a = random_values<T>(call.m, call.k, 0);  // zeros and denormals run at other speeds than real data
  const auto b = random_values<T>(call.k, call.n, 1);
  std::vector<T> c(static_cast<std::size_t>(call.m * call.n));
  return measure_call_rate(
      flops(call), [&] { gemm(call, a.data(), b.data(), c.data()); }, until);
}

template FlopsPerSecond measure_gemm_speed<float>(GemmShape, double);
template FlopsPerSecond measure_gemm_speed<double>(GemmShape, double);

}  // namespace tombolo
