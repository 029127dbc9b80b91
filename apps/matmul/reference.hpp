#pragma once

#include <tombolo/session.hpp>

#include "matmul/problem.hpp"
#include "matmul/rows.hpp"

namespace tombolo::matmul {

/// The time of the same product on the root alone with all its cores (--reference).
struct Reference {
  bool measured = false;
  int threads = 0;
  double seconds = 0;
};

/// Multiplies once more what all ranks have multiplied together. The same result on all ranks. Collective.
template <class T>
Reference multiply_alone(Session& session, const Problem& problem, Rank root, Program& program,
                         const Matrices<T>& matrices);

}  // namespace tombolo::matmul
