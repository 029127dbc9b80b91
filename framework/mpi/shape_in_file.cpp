#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/shape_in_file.hpp>

namespace tombolo {

MatrixShape shape_in_file(MPI_Comm communicator, const std::filesystem::path& path) {
  MatrixShape shape;
  agree(communicator, [&] { shape = matrix_shape(read_npy_header(path), path); });
  return shape;
}

}  // namespace tombolo
