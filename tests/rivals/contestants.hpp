#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <tombolo/session.hpp>

namespace rivals {

/// A square matrix of doubles in rows, as equal as can be, and its transpose in the same ones.
struct Matrix {
  std::int64_t size = 0;
  std::int64_t first = 0;          ///< row of this rank
  std::int64_t rows = 0;           ///< of this rank
  std::vector<std::int64_t> each;  ///< rows of every rank
  std::vector<double> a;
  std::vector<double> b;
};

/// One way to make b of a. Everything that can be prepared has been.
struct Contestant {
  std::string name;
  std::function<void()> transpose;
};

/// Tombolo's packing, its alltoallv, its unpacking.
Contestant tombolo(tombolo::Session& session, Matrix& matrix);
/// MPI_Alltoallv, packed and unpacked by loops over elements and rows.
Contestant loops(MPI_Comm communicator, Matrix& matrix);
/// MPI_Alltoallw with derived types that transpose on the way: nothing is packed by hand.
Contestant derived_types(MPI_Comm communicator, Matrix& matrix);
/// fftw_mpi_plan_many_transpose, as FFTW_MEASURE plans it, which overwrites both matrices. Where it is there (CMake:
/// TOMBOLO_FFTW_MPI).
Contestant fftw(MPI_Comm communicator, Matrix& matrix);

}  // namespace rivals
