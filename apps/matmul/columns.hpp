#pragma once

#include <vector>

#include <tombolo/matrix.hpp>
#include <tombolo/program.hpp>

#include "matmul/rows.hpp"

namespace tombolo::matmul {

/// How C is cut for columns, and how A and B come to the ranks.
struct Rectangles {
  std::vector<Part> parts;  ///< of C, by rank; empty ones for ranks that take no part
  /// Clusters by rank, from the outermost to the innermost that get copies of their own; none: ranks get theirs
  /// directly.
  std::vector<std::vector<int>> clusters;
};

/// Returns the number of panels that columns have if so many are asked for, 0: by default. Ranges of the inner
/// dimension must be worth a call.
int panels_of_columns(const GemmShape& shape, int panels);

/// Declares C = A x B over rectangles of C, all row-major. Distributed, a rank has a part of the same rows of A and of
/// the same columns of B as of C; else the root has all. Panel by panel of the inner dimension every cluster gets one
/// copy of what its ranks need, and these get their rows and columns from it; they multiply while the next panel
/// travels. `panels` 0: four, or as many as are worth a call. Held by the root, C is collected last; in several
/// `stages`, each of some columns of every rectangle, only A and the first columns of B travel in panels, the other
/// columns of B follow stage by stage, and C returns meanwhile. Source: SUMMA (van de Geijn and Watts 1997) on the
/// partition of Beaumont et al. 2001.
template <class T>
Matrices<T> declare_columns(Program& program, const GemmShape& shape, const Rectangles& of_c, Held held, Rank root,
                            int panels, int stages = 1);

}  // namespace tombolo::matmul
