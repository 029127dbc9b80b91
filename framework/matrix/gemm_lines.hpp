#pragma once

#include <cstdint>
#include <limits>

#include <tombolo/matrix.hpp>

namespace tombolo {

/// A row-major matrix in memory, from the start of one row to that of the next `stride` elements.
template <class T>
struct Lines {
  T* first = nullptr;
  std::int64_t stride = 0;
  bool conjugated = false;  ///< a factor stands for its conjugate, where T is complex
};

/// Computes C = alpha A B + beta C by OpenBLAS; C is not read if beta is 0. Any dimension may be 0. `largest`, and
/// errors, as gemm().
template <Element T>
void gemm_lines(GemmShape shape, T alpha, Lines<const T> a, Lines<const T> b, T beta, Lines<T> c,
                std::int64_t largest = std::numeric_limits<int>::max());

/// Computes C = beta C; C is not read if beta is 0.
template <Element T>
void scale_lines(std::int64_t rows, std::int64_t columns, T beta, Lines<T> c);

}  // namespace tombolo
