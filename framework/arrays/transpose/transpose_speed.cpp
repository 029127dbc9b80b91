#include <algorithm>
#include <complex>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/arrays/transpose/transpose_speed.hpp>
#include <tombolo/framework/matrix/transpose.hpp>
#include <tombolo/framework/partition/call_rate.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {

namespace {
constexpr Bytes most_bytes = 32'000'000;
constexpr std::int64_t long_enough = 1000;  // not a power of 2, which would cause cache conflicts between rows
}  // namespace

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

template BytesPerSecond measure_transpose_speed<float>(MatrixShape, double);
template BytesPerSecond measure_transpose_speed<double>(MatrixShape, double);
template BytesPerSecond measure_transpose_speed<std::complex<float>>(MatrixShape, double);
template BytesPerSecond measure_transpose_speed<std::complex<double>>(MatrixShape, double);

}  // namespace tombolo
