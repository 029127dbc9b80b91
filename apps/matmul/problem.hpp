#pragma once

#include <vector>

#include <tombolo/matrix.hpp>
#include <tombolo/session.hpp>

#include "matmul/options.hpp"
#include "matmul/rows.hpp"

namespace tombolo::matmul {

/// What is to be multiplied. The same on all ranks.
struct Problem {
  GemmShape shape;
  ElementType type = ElementType::float64;
};

/// From the options, or from the headers of the files, which the root reads. Also checks that results can be written,
/// before any work. Throws AgreedError on all ranks. Collective.
Problem find_problem(Session& session, const Options& options);

/// Throws Error where a matrix is too large for any machine.
void check_sizes(const Problem& problem);

/// Bytes of C, as a double since they may pass 2^63.
double bytes_of_product(const Problem& problem);

/// Loads or generates A and B where a program has them: on the root, or each rank its parts. Collective.
template <class T>
void fill(Session& session, const Options& options, const Problem& problem, Program& program,
          const Matrices<T>& matrices);

/// Verifies the product where it is: on the root by itself, or distributed, in slices of rows on the ranks that take
/// part. The same on all ranks. Collective.
template <class T>
Verification verify(Session& session, const Options& options, const Problem& problem, Program& program,
                    const Matrices<T>& matrices);

}  // namespace tombolo::matmul
