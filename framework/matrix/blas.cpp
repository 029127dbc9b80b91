#include <algorithm>
#include <complex>
#include <type_traits>

#include <cblas.h>
#include <fmt/format.h>

#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/framework/matrix/gemm_lines.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

template <class T>
CBLAS_TRANSPOSE how(const Lines<const T>& factor) {
  return factor.conjugated ? CblasConjNoTrans : CblasNoTrans;
}

/// C = alpha A B + beta C on matrices that BLAS can count, by this function of it; complex numbers go by address.
template <class T, class Function, class Number>
void call(Function* function, GemmShape s, Number alpha, Lines<const T> a, Lines<const T> b, Number beta, Lines<T> c) {
  function(CblasRowMajor, how(a), how(b), static_cast<blasint>(s.m), static_cast<blasint>(s.n),
           static_cast<blasint>(s.k), alpha, a.first, static_cast<blasint>(a.stride), b.first,
           static_cast<blasint>(b.stride), beta, c.first, static_cast<blasint>(c.stride));
}

template <Element T>
void call(GemmShape s, T alpha, Lines<const T> a, Lines<const T> b, T beta, Lines<T> c) {
  if constexpr (std::is_same_v<T, float>) {
    call(cblas_sgemm, s, alpha, a, b, beta, c);
  } else if constexpr (std::is_same_v<T, double>) {
    call(cblas_dgemm, s, alpha, a, b, beta, c);
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    call(cblas_cgemm, s, &alpha, a, b, &beta, c);
  } else {
    call(cblas_zgemm, s, &alpha, a, b, &beta, c);
  }
}

}  // namespace

template <Element T>
void scale_lines(std::int64_t rows, std::int64_t columns, T beta, Lines<T> c) {
  if (beta == T{1}) return;
  for (std::int64_t i = 0; i < rows; ++i) {
    T* const line = c.first + i * c.stride;
    std::transform(line, line + columns, line, [&](T element) { return beta == T{0} ? T{0} : beta * element; });
  }
}

template <Element T>
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
    return decltype(matrix){matrix.first + row * matrix.stride + column, std::min(matrix.stride, largest),
                            matrix.conjugated};
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

template <Element T>
void gemm(GemmShape shape, const T* a, const T* b, T* c, std::int64_t largest) {
  gemm_lines<T>(shape, T{1}, {a, shape.k}, {b, shape.n}, T{0}, {c, shape.n}, largest);
}

template <Element T>
void gemm_add(GemmShape shape, const T* a, const T* b, T* c, std::int64_t largest) {
  gemm_lines<T>(shape, T{1}, {a, shape.k}, {b, shape.n}, T{1}, {c, shape.n}, largest);
}

#define TOMBOLO_FOR(T)                                                                               \
  template void scale_lines(std::int64_t, std::int64_t, T, Lines<T>);                                \
  template void gemm_lines(GemmShape, T, Lines<const T>, Lines<const T>, T, Lines<T>, std::int64_t); \
  template void gemm(GemmShape, const T*, const T*, T*, std::int64_t);                               \
  template void gemm_add(GemmShape, const T*, const T*, T*, std::int64_t);
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

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
