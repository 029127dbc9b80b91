#include <cstddef>
#include <stdexcept>

#include <fftw3-mpi.h>

#include "rivals/contestants.hpp"

namespace rivals {

Contestant fftw(MPI_Comm communicator, Matrix& matrix) {
  struct Plan {
    Plan() = default;
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    ~Plan() {
      if (plan != nullptr) fftw_destroy_plan(plan);
    }
    fftw_plan plan = nullptr;
  };
  const std::ptrdiff_t size = matrix.size;
  const std::ptrdiff_t block = matrix.each.front();
  std::ptrdiff_t rows = 0;
  std::ptrdiff_t first = 0;
  std::ptrdiff_t b_rows = 0;
  std::ptrdiff_t b_first = 0;
  fftw_mpi_init();
  const std::ptrdiff_t needed =
      fftw_mpi_local_size_many_transposed(2, std::vector<std::ptrdiff_t>{size, size}.data(), 1, block, block,
                                          communicator, &rows, &first, &b_rows, &b_first);
  if (rows != matrix.rows || first != matrix.first || b_rows != rows) {
    throw std::runtime_error("FFTW would share rows out otherwise; take a --size that the ranks divide");
  }
  matrix.a.resize(static_cast<std::size_t>(needed));
  matrix.b.resize(static_cast<std::size_t>(needed));
  auto plan = std::make_shared<Plan>();
  plan->plan = fftw_mpi_plan_many_transpose(size, size, 1, block, block, matrix.a.data(), matrix.b.data(), communicator,
                                            FFTW_MEASURE);
  if (plan->plan == nullptr) throw std::runtime_error("FFTW has no plan");
  return {"FFTW 3 MPI transpose", [plan] { fftw_execute(plan->plan); }};
}

}  // namespace rivals
