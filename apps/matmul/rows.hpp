#pragma once

#include <cstddef>
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

/// Declares C = A x B over horizontal slices (LMO paper, section 7 and Figure 5), all row-major; every rank that takes
/// part ends with all of B. Held by the root, A, B and C lie there; distributed, each rank has slices of all three.
template <class T>
Matrices<T> declare_rows(Program& program, const GemmShape& shape, Held held, Rank root);

}  // namespace tombolo::matmul
