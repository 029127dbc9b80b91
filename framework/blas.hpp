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

/// Multiplications and additions, 2 m n k; in double, for it passes 2^63 from m = n = k = 2^21 on.
constexpr double flops(GemmShape shape) {
  return 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
}

/// C = A B for T = float or double, by OpenBLAS. C is overwritten, whatever it held, and must not overlap A or B. Any
/// dimension may be 0; k = 0 gives zeros. Throws Error if one is negative.
///
/// OpenBLAS counts in int: a dimension above `largest` is cut into pieces. That costs nothing for m; with k beyond it A
/// is taken row by row, and with n beyond it B too, which is right but slow. Tests lower `largest`; nobody else should.
template <class T>
void gemm(GemmShape shape, const T* a, const T* b, T* c, std::int64_t largest = std::numeric_limits<int>::max());

/// The number of threads that one gemm runs on, in this process. Throws Error if threads < 1; OpenBLAS lowers what is
/// above the limit it was built with (64 in Debian), so ask blas_threads() for what it became.
void set_blas_threads(int threads);
int blas_threads();

/// How many threads each rank should run so that the ranks of a host fill its cores and no more: max(1, cores / ranks).
/// threads_per_rank(8, 3) = 2. Throws Error if ranks_on_host < 1.
int threads_per_rank(int cores, int ranks_on_host);

}  // namespace tombolo
