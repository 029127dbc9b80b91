#pragma once

#include <cstdint>
#include <vector>

#include <mpi.h>

#include <tombolo/framework/matrix_layout.hpp>
#include <tombolo/framework/mpi/session.hpp>

#include "transpose/problem.hpp"

namespace tombolo::transposition {

/// Lines of a file (as rows), and elements of each (as columns), as a part of the matrix.
Part in_matrix(const Part& lines, bool fortran_order);

/// All lines of A's file.
Part lines_of_file(const Problem& problem);

/// What each rank has of a panel, which is given in lines.
struct PanelShares {
  PanelShares(const Session& session, const Part& panel, bool fortran_order);

  std::vector<std::int64_t> lines;  ///< that each rank reads
  std::vector<std::int64_t> width;  ///< elements of every line that each rank gets
  Part read;                        ///< this rank's part of A
  Part written;                     ///< and of B
};

/// Adds up what parts of the work take on this rank.
class Laps {
 public:
  void start() { last_ = MPI_Wtime(); }
  void end(double& seconds) {
    const double now = MPI_Wtime();
    seconds += now - last_;
    last_ = now;
  }

 private:
  double last_ = MPI_Wtime();
};

}  // namespace tombolo::transposition
