#include <tombolo/framework/partition/kernel_speed.hpp>
#include <tombolo/framework/partition/kernels/built_in_kernels.hpp>

namespace tombolo {

/// C = A B in double, by BLAS and its threads; size n: n x n by n x n, 2 n^3 flop.
Kernel dgemm_kernel() {
  return {.name = "dgemm",
          .unit = "flop",
          .sizes = {128, 256, 512, 1024, 2048},
          .measure = [](std::int64_t n, double seconds_at_least) {
            return measure_gemm_speed<double>({.m = n, .n = n, .k = n}, seconds_at_least);
          }};
}

/// C = A B in float, by BLAS and its threads; size n: n x n by n x n, 2 n^3 flop.
Kernel sgemm_kernel() {
  return {.name = "sgemm",
          .unit = "flop",
          .sizes = {128, 256, 512, 1024, 2048},
          .measure = [](std::int64_t n, double seconds_at_least) {
            return measure_gemm_speed<float>({.m = n, .n = n, .k = n}, seconds_at_least);
          }};
}

}  // namespace tombolo
