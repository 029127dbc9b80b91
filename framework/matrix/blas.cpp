#include <algorithm>

#include <cblas.h>
#include <fmt/format.h>

#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

/// C = A B + beta C on submatrices whose rows are lda, ldb and ldc elements apart.
void call(GemmShape s, const float* a, blasint lda, const float* b, blasint ldb, float beta, float* c, blasint ldc) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<blasint>(s.m), static_cast<blasint>(s.n),
              static_cast<blasint>(s.k), 1.0F, a, lda, b, ldb, beta, c, ldc);
}

void call(GemmShape s, const double* a, blasint lda, const double* b, blasint ldb, double beta, double* c,
          blasint ldc) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<blasint>(s.m), static_cast<blasint>(s.n),
              static_cast<blasint>(s.k), 1.0, a, lda, b, ldb, beta, c, ldc);
}

/// Computes C = A B + beta C, with beta 0 or 1.
template <class T>
void multiply(GemmShape shape, const T* a, const T* b, T beta, T* c, std::int64_t largest) {
  const auto [m, n, k] = shape;
  if (m < 0 || n < 0 || k < 0) {
    throw Error(fmt::format("a matrix product of {} x {} by {} x {}", m, k, k, n), "give dimensions of 0 or more");
  }
  if (k == 0 && beta == T{0}) std::fill_n(c, m * n, T{0});
  if (m == 0 || n == 0 || k == 0) return;
  // The row stride is an int too: if it does not fit, rows are multiplied one at a time, where the stride does not
  // matter.
  const GemmShape most{k > largest || n > largest ? 1 : largest, largest, n > largest ? 1 : largest};
  const auto lda = static_cast<blasint>(std::min(k, largest));
  const auto ldb = static_cast<blasint>(std::min(n, largest));
  for (std::int64_t i = 0; i < m; i += most.m) {
    for (std::int64_t l = 0; l < k; l += most.k) {
      for (std::int64_t j = 0; j < n; j += most.n) {
        const GemmShape piece{std::min(most.m, m - i), std::min(most.n, n - j), std::min(most.k, k - l)};
        call(piece, a + i * k + l, lda, b + l * n + j, ldb, l == 0 ? beta : T{1}, c + i * n + j, ldb);
      }
    }
  }
}

}  // namespace

template <class T>
void gemm(GemmShape shape, const T* a, const T* b, T* c, std::int64_t largest) {
  multiply(shape, a, b, T{0}, c, largest);
}

template <class T>
void gemm_add(GemmShape shape, const T* a, const T* b, T* c, std::int64_t largest) {
  multiply(shape, a, b, T{1}, c, largest);
}

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
