#pragma once

#include <cstdint>
#include <span>

#include <tombolo/matrix.hpp>

namespace tombolo {

/// A part of a matrix and its elements, row by row without gaps.
template <class T>
struct MatrixPart {
  Part part;
  const T* values = nullptr;
};

/// Combines the numbers of the ranks that verify a product together, element by element. All pass equally many.
/// Collective.
class Combination {
 public:
  Combination() = default;
  Combination(const Combination&) = delete;
  Combination& operator=(const Combination&) = delete;
  virtual ~Combination() = default;

  virtual void sum(std::span<double> values) = 0;
  virtual void largest(std::span<double> values) = 0;
};

/// Verifies C = A B as the freivalds() of tombolo/matrix.hpp does, where the matrices are: each element of A, B and C
/// is in one part of one rank. What is combined is B x, of k times up to 16 `vectors` numbers, and as much for the rows
/// of C; matrices do not move. Sums over ranks round a little differently from those on one, far within the tolerance.
/// The same verdict on all ranks. Collective.
template <class T>
Verification freivalds(const GemmShape& shape, std::span<const MatrixPart<T>> a, std::span<const MatrixPart<T>> b,
                       std::span<const MatrixPart<T>> c, Combination& ranks, int vectors, std::uint64_t seed);

}  // namespace tombolo
