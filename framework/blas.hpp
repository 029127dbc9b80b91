#pragma once

#include <cstdint>
#include <limits>

namespace tombolo {

/// A product C = A B of row-major matrices without padding: A is m x k, B is k x n, C is m x n.
struct GemmShape {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  bool operator==(const GemmShape&) const = default;
};

/// Number of multiplications and additions, 2 m n k; a double, because it exceeds 2^63 from m = n = k = 2^21 on.
constexpr double flops(GemmShape shape) {
  return 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
}

/// Computes C = A B for T = float or double, by OpenBLAS. C is overwritten and must not overlap A or B. Any dimension
/// may be 0; k = 0 gives zeros. Throws Error if a dimension is negative.
///
/// OpenBLAS counts in int: a dimension above `largest` is cut into parts. The cut is free for m; a larger k makes A be
/// taken row by row, a larger n B too, which is correct but slow. Only tests lower `largest`.
template <class T>
void gemm(GemmShape shape, const T* a, const T* b, T* c, std::int64_t largest = std::numeric_limits<int>::max());

/// Sets or returns the number of threads of one gemm in this process. Throws Error if threads < 1. OpenBLAS limits the
/// number to its build-time maximum (64 in Debian); blas_threads() returns the number in use.
void set_blas_threads(int threads);
int blas_threads();

/// Returns the number of threads of each rank so that the ranks of a host fill its cores without oversubscription:
/// max(1, cores / ranks). threads_per_rank(8, 3) = 2. Throws Error if ranks_on_host < 1.
int threads_per_rank(int cores, int ranks_on_host);

}  // namespace tombolo
