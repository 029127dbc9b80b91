#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/framework/matrix/random_matrix.hpp>
#include <tombolo/framework/matrix/transpose.hpp>
#include <tombolo/framework/partition/call_rate.hpp>
#include <tombolo/framework/partition/kernel_speed.hpp>
#include <tombolo/units.hpp>

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

constexpr Bytes most_bytes = 32'000'000;
constexpr std::int64_t long_enough = 1000;  // not a power of 2, which would cause cache conflicts between rows

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

template <Element T>
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
      real_operations<T> * flops(call), [&] { gemm(call, a.data(), b.data(), c.data()); }, until);
}

#define TOMBOLO_FOR(T) template FlopsPerSecond measure_gemm_speed<T>(GemmShape, double);
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

MatrixShape transpose_probe_shape(MatrixShape slice, Bytes element) {
  const std::int64_t most = most_bytes / element;
  MatrixShape probe{std::min(slice.rows, long_enough), std::min(slice.columns, long_enough)};
  if (probe.rows == 0 || probe.columns == 0) return probe;
  probe.columns = std::min(slice.columns, most / probe.rows);
  probe.rows = std::min(slice.rows, most / probe.columns);
  return probe;
}

template <Element T>
BytesPerSecond measure_transpose_speed(MatrixShape call, double seconds_at_least) {
  if (call.rows < 1 || call.columns < 1) {
    throw Error(fmt::format("a speed to measure on a matrix of {} x {}", call.rows, call.columns),
                "give a matrix with at least one element");
  }
  const auto until = from_now(seconds_at_least);
  const auto elements = static_cast<std::size_t>(call.rows * call.columns);
  const std::vector<T> in(elements);
  std::vector<T> out(elements);
  return measure_call_rate(
      static_cast<double>(elements * sizeof(T)),
      [&] { transpose(call.rows, call.columns, in.data(), call.columns, out.data(), call.rows); }, until);
}

#define TOMBOLO_FOR(T) template BytesPerSecond measure_transpose_speed<T>(MatrixShape, double);
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

}  // namespace tombolo
