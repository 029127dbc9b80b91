#pragma once

#include <vector>

#include <tombolo/matrix.hpp>
#include <tombolo/program.hpp>

namespace tombolo::matmul {

/// The matrices of a program, which prepare() gives memory: at the root A and C are whole, elsewhere they are slices.
template <class T>
struct Matrices {
  Array<T, 2> a;
  Array<T, 2> b;
  Array<T, 2> c;
};

/// The name of the kernel whose speed products of T have.
template <class T>
const char* gemm_kernel();

/// Declares C = A x B over horizontal slices (LMO paper, section 7 and Figure 5). A and C are row-major and lie on the
/// root, B as well; every rank that takes part ends with all of B.
template <class T>
Matrices<T> declare_rows(Program& program, const GemmShape& shape, Rank root);

/// The task in which ranks multiply.
inline constexpr std::size_t compute_phase = 2;

}  // namespace tombolo::matmul
