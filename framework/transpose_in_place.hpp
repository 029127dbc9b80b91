#pragma once

#include <cstdint>

#include <tombolo/framework/element_type.hpp>

namespace tombolo {

/// Transposes a row-major matrix in its own memory, bit for bit: matrix[0, rows * columns) is rows x columns before and
/// columns x rows, row-major, after. Any shape; sizes may be 0. Throws Error if one is negative.
///
///     transpose_in_place(2, 3, matrix)     1 2 3     becomes   1 4
///                                          4 5 6               2 5
///                                                              3 6
///
/// Beside the matrix it takes in_place_workspace() bytes: 1 KiB for each of the fewer of rows and columns, and a bit
/// for each KiB of the matrix; a square matrix 64 KiB.
///
/// Square matrices: tiles swap places. Others go through strips (Gustavson, Karlsson, Kagstrom, "Parallel and
/// cache-efficient in-place matrix storage format conversion", ACM TOMS 38(3), 2012, generalised to any shape): a tall
/// matrix is cut into strips of as many rows as fill 1 KiB; each is transposed through the workspace; then rows of
/// strips, 1 KiB each, go to their places along cycles; the rows that fill no strip wait in the workspace meanwhile. A
/// wide one takes the same steps backwards. Four passes over memory, where the decomposition into rows and columns of
/// Catanzaro, Keller and Garland (PPoPP 2014) takes as many, two of them element by element.
///
/// Runs on one thread. Speed against a memcpy of as many bytes from one place to another (EPYC 9004, memcpy at 6 to 11
/// GB/s, matrices of 0.1 to 1 GB): squares 0.34 to 0.43, others 0.2 to 0.36 where the longer side is cut into strips
/// without a rest or is much the longer one, 0.11 to 0.17 else (8191 x 8209).
template <Element T>
void transpose_in_place(std::int64_t rows, std::int64_t columns, T* matrix);

/// Bytes that it takes beside the matrix.
Bytes in_place_workspace(std::int64_t rows, std::int64_t columns, Bytes element);

}  // namespace tombolo
