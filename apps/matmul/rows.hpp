#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tombolo/matrix.hpp>
#include <tombolo/program.hpp>

#include "matmul/options.hpp"

namespace tombolo::matmul {

/// The matrices of a program, which prepare() gives memory. Held by the root they are whole there, and elsewhere parts;
/// distributed, each rank has its part.
template <class T>
struct Matrices {
  Array<T, 2> a;
  Array<T, 2> b;
  Array<T, 2> c;
  std::vector<std::size_t> computing;  ///< the tasks in which ranks multiply
};

/// The name of the kernel whose speed products of T have.
template <class T>
const char* gemm_kernel();

/// Columns of C that are worth a call of gemm: in such parts ranks multiply while messages travel.
inline constexpr std::int64_t worth_a_part = 256;

/// The cost of a task whose items are each `elements` elements of a matrix C of `n` columns, for an inner dimension k.
template <class T>
Cost cost_of_product(std::int64_t elements, std::int64_t n, std::int64_t k) {
  return {.kernel = gemm_kernel<T>(),
          .operations = flops({.m = 1, .n = elements, .k = k}),
          .parts = std::max<std::int64_t>(n / worth_a_part, 1)};
}

/// Declares C = A x B over horizontal slices (LMO paper, section 7 and Figure 5), all row-major; every rank that takes
/// part ends with all of B. Held by the root, A, B and C lie there; distributed, each rank has slices of all three.
template <class T>
Matrices<T> declare_rows(Program& program, const GemmShape& shape, Held held, Rank root);

}  // namespace tombolo::matmul
