#include <array>
#include <cstddef>

#include <fmt/format.h>

#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/framework/mpi/arrays/blacs_grid.hpp>
#include <tombolo/framework/mpi/arrays/distributed_product.hpp>
#include <tombolo/framework/mpi/session/measured_kernel.hpp>
#include <tombolo/platform/mpi/attached.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>
#include <tombolo/units.hpp>

// Of the program's BLACS: weak, so that a program without it can be linked.
extern "C" {
[[gnu::weak]] void blacs_gridinfo_(const int* context, int* rows, int* columns, int* row, int* column);
[[gnu::weak]] void blacs_get_(const int* context, const int* what, int* value);
}

namespace tombolo {
namespace {

constexpr int handle_of_grid = 10;  // blacs_get_: the communicator of the context

}  // namespace

BlacsGrid* BlacsGrid::of_context(int context) {
  if (blacs_gridinfo_ == nullptr || blacs_get_ == nullptr) {
    throw Error("there is no BLACS in this program", "link ScaLAPACK, as a shared library or before Tombolo");
  }
  int rows = -1;
  int columns = -1;
  int row = -1;
  int column = -1;
  blacs_gridinfo_(&context, &rows, &columns, &row, &column);
  if (row < 0 || column < 0) return nullptr;
  int handle = 0;
  blacs_get_(&context, &handle_of_grid, &handle);
  const MPI_Comm processes = MPI_Comm_f2c(handle);
  // The grid goes with the communicator: other grids of BLACS may get the same context, on some ranks but not on
  // others.
  return &attached<BlacsGrid>(processes, [&] {
    auto grid = std::make_unique<BlacsGrid>(processes);
    grid->place(rows, columns, row, column);
    return grid;
  });
}

BlacsGrid::BlacsGrid(MPI_Comm processes) {
  check_mpi(MPI_Comm_dup(processes, &communicator_), "MPI_Comm_dup");
  check_mpi(MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  platform_ = std::make_unique<RunPlatform>(communicator_, blas_threads());
  platform_->make_planner();
  platform_->planner->share_within_classes();  // in a factorization the sizes change with every product
  collectives_ = std::make_unique<PlannedCollectives>(communicator_, platform_->planner);
}

BlacsGrid::~BlacsGrid() {
  collectives_.reset();
  platform_.reset();
  if (communicator_ != MPI_COMM_NULL) MPI_Comm_free(&communicator_);
}

void BlacsGrid::place(int rows, int columns, int row, int column) {
  rows_ = rows;
  columns_ = columns;
  // BLACS numbers processes of a grid along rows or columns, or as the program's map says.
  const auto all = of_all_ranks(communicator_, std::array{row, column});
  ranks_.assign(all.size(), 0);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    ranks_[static_cast<std::size_t>(all[rank][0] * columns + all[rank][1])] = static_cast<Rank>(rank);
}

ProductRanks BlacsGrid::ranks(const std::string& kernel, const GemmShape& product) {
  std::vector<SpeedFunction>& known = speeds_[kernel];
  if (known.empty()) known = speeds_of(*platform_, kernel);
  return product_ranks(*platform_, known, product);
}

}  // namespace tombolo
