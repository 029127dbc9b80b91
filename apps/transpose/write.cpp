#include "transpose/write.hpp"

#include <complex>
#include <optional>
#include <utility>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/npy_rows_writer.hpp>
#include <tombolo/platform/mpi/text_from.hpp>

namespace tombolo::transposition {

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
  temporary = text_from(all, 0, std::move(temporary));
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
