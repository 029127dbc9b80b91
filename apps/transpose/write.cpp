#include "transpose/write.hpp"

#include <complex>
#include <optional>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/npy_rows_writer.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo::transposition {

namespace {

std::string broadcast(Session& session, std::string text) {
  auto length = static_cast<int>(text.size());
  check_mpi(MPI_Bcast(&length, 1, MPI_INT, 0, session.communicator()), "MPI_Bcast");
  text.resize(static_cast<std::size_t>(length));
  check_mpi(MPI_Bcast(text.data(), length, MPI_CHAR, 0, session.communicator()), "MPI_Bcast");
  return text;
}

}  // namespace

template <Element T>
void write_slices(Session& session, const std::string& target, const MatrixShape& shape, std::int64_t first_row,
                  std::int64_t rows, const T* slice) {
  const MPI_Comm all = session.communicator();
  std::optional<NpyRowsFile> file;  // on rank 0; it goes, and what was written too, when a rank fails
  std::string temporary;
  agree(all, [&] {
    if (session.rank() != 0) return;
    file.emplace(target, element_type_of<T>, shape);
    temporary = file->temporary().string();
  });
  temporary = broadcast(session, std::move(temporary));
  agree(all, [&] { write_npy_rows(target, temporary, shape, first_row, rows, slice); });
  agree(all, [&] {
    if (file) file->commit();
  });
}

template void write_slices(Session&, const std::string&, const MatrixShape&, std::int64_t, std::int64_t, const float*);
template void write_slices(Session&, const std::string&, const MatrixShape&, std::int64_t, std::int64_t, const double*);
template void write_slices(Session&, const std::string&, const MatrixShape&, std::int64_t, std::int64_t,
                           const std::complex<float>*);
template void write_slices(Session&, const std::string&, const MatrixShape&, std::int64_t, std::int64_t,
                           const std::complex<double>*);

}  // namespace tombolo::transposition
