#include <algorithm>

#include <cblas.h>
#include <fmt/format.h>

#include <tombolo/framework/matrix/gemm_lines.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

/// C = alpha A B + beta C on matrices that BLAS can count.
void call(GemmShape s, float alpha, Lines<const float> a, Lines<const float> b, float beta, Lines<float> c) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<blasint>(s.m), static_cast<blasint>(s.n),
              static_cast<blasint>(s.k), alpha, a.first, static_cast<blasint>(a.stride), b.first,
              static_cast<blasint>(b.stride), beta, c.first, static_cast<blasint>(c.stride));
}

void call(GemmShape s, double alpha, Lines<const double> a, Lines<const double> b, double beta, Lines<double> c) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<blasint>(s.m), static_cast<blasint>(s.n),
              static_cast<blasint>(s.k), alpha, a.first, static_cast<blasint>(a.stride), b.first,
              static_cast<blasint>(b.stride), beta, c.first, static_cast<blasint>(c.stride));
}

}  // namespace

template <class T>
void scale_lines(std::int64_t rows, std::int64_t columns, T beta, Lines<T> c) {
  if (beta == T{1}) return;
  for (std::int64_t i = 0; i < rows; ++i) {
    T* const line = c.first + i * c.stride;
    std::transform(line, line + columns, line, [&](T element) { return beta == T{0} ? T{0} : beta * element; });
  }
}

template <class T>
void gemm_lines(GemmShape shape, T alpha, Lines<const T> a, Lines<const T> b, T beta, Lines<T> c,
                std::int64_t largest) {
  const auto [m, n, k] = shape;
  if (m < 0 || n < 0 || k < 0) {
    throw Error(fmt::format("a matrix product of {} x {} by {} x {}", m, k, k, n), "give dimensions of 0 or more");
  }
  if (k == 0) scale_lines(m, n, beta, c);
  if (m == 0 || n == 0 || k == 0) return;
  // The stride is an int too: if it does not fit, lines are taken one at a time, where the stride does not matter.
  const GemmShape most{a.stride > largest || c.stride > largest ? 1 : largest, largest,
                       b.stride > largest ? 1 : largest};
  const auto from = [&](auto matrix, std::int64_t row, std::int64_t column) {
    return decltype(matrix){matrix.first + row * matrix.stride + column, std::min(matrix.stride, largest)};
  };
  for (std::int64_t i = 0; i < m; i += most.m) {
    for (std::int64_t l = 0; l < k; l += most.k) {
      for (std::int64_t j = 0; j < n; j += most.n) {
        const GemmShape piece{std::min(most.m, m - i), std::min(most.n, n - j), std::min(most.k, k - l)};
        call(piece, alpha, from(a, i, l), from(b, l, j), l == 0 ? beta : T{1}, from(c, i, j));
      }
    }
  }
}

template <class T>
void gemm(GemmShape shape, const T* a, const T* b, T* c, std::int64_t largest) {
  gemm_lines<T>(shape, T{1}, {a, shape.k}, {b, shape.n}, T{0}, {c, shape.n}, largest);
}

template <class T>
void gemm_add(GemmShape shape, const T* a, const T* b, T* c, std::int64_t largest) {
  gemm_lines<T>(shape, T{1}, {a, shape.k}, {b, shape.n}, T{1}, {c, shape.n}, largest);
}

template void scale_lines(std::int64_t, std::int64_t, float, Lines<float>);
template void scale_lines(std::int64_t, std::int64_t, double, Lines<double>);
template void gemm_lines(GemmShape, float, Lines<const float>, Lines<const float>, float, Lines<float>, std::int64_t);
template void gemm_lines(GemmShape, double, Lines<const double>, Lines<const double>, double, Lines<double>,
                         std::int64_t);
template void gemm(GemmShape, const float*, const float*, float*, std::int64_t);
template void gemm(GemmShape, const double*, const double*, double*, std::int64_t);
template void gemm_add(GemmShape, const float*, const float*, float*, std::int64_t);
template void gemm_add(GemmShape, const double*, const double*, double*, std::int64_t);

void set_blas_threads(int threads) {
  if (threads < 1) throw Error(fmt::format("{} BLAS threads", threads), "ask for at least 1");
  openblas_set_num_threads(threads);
}

int blas_threads() {
  return openblas_get_num_threads();
}

int threads_per_rank(int cores, int ranks_on_host) {
  if (ranks_on_host < 1) throw Error(fmt::format("{} ranks on a host", ranks_on_host), "count at least this rank");
  return std::max(1, cores / ranks_on_host);
}

}  // namespace tombolo
