#pragma once

// The distribution of matrices in ScaLAPACK.

#include <cstdint>
#include <vector>

#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// ScaLAPACK's distribution of a matrix: blocks of one size, dealt to a grid of processes in turn, row by row and
/// column by column. Names in brackets are those of its array descriptors.
struct BlockCyclic {
  MatrixShape block;             ///< rows and columns of a block (MB, NB), at least 1
  int grid_rows = 1;             ///< processes (NPROW)
  int grid_columns = 1;          ///< (NPCOL)
  int source_row = 0;            ///< row of processes that has the first rows (RSRC)
  int source_column = 0;         ///< (CSRC)
  std::vector<Rank> ranks = {};  ///< of the grid, row by row; empty: 0, 1, 2, ...
};

/// Returns the distribution of the part of `shape` that begins at row first_row and column first_column of a matrix in
/// a block-cyclic distribution: by default of that matrix itself. `all_ranks` are the ranks of the communicator, which
/// may be more than those of the grid.
///
///     block_cyclic({5, 7}, {.block = {2, 2}, .grid_rows = 2, .grid_columns = 2}, 4)       0 0 1 1 0 0 1
///                                                                                         0 0 1 1 0 0 1
///                                                                                         2 2 3 3 2 2 3
///                                                                                         2 2 3 3 2 2 3
///                                                                                         0 0 1 1 0 0 1
///
/// In memory each block is contiguous and row-major, as in every Distribution. A local array of ScaLAPACK is instead
/// one column-major matrix of all blocks of a process.
///
/// Throws Error for blocks of less than 1 x 1, a grid of no processes or of other than as many ranks, a source outside
/// the grid, a negative shape or beginning, more than 2^31 - 1 blocks, and as Distribution::blocks().
Distribution block_cyclic(const MatrixShape& shape, const BlockCyclic& how, int all_ranks, std::int64_t first_row = 0,
                          std::int64_t first_column = 0);

}  // namespace tombolo
