#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives.hpp>
#include <tombolo/collectives/mpi/run_platform.hpp>
#include <tombolo/framework/arrays/product/product_division.hpp>
#include <tombolo/matrix.hpp>

namespace tombolo {

/// The processes of a BLACS context, and what they know of their machines. BLACS is that of the program, if it has any.
class BlacsGrid {
 public:
  /// Returns the grid of a context, the same object at every call until blacs_gridexit_; null on a rank that is not in
  /// the grid. Throws Error if the program has no BLACS. Collective over the grid.
  static BlacsGrid* of_context(int context);

  explicit BlacsGrid(MPI_Comm processes);
  ~BlacsGrid();
  BlacsGrid(const BlacsGrid&) = delete;
  BlacsGrid& operator=(const BlacsGrid&) = delete;

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  MPI_Comm communicator() const { return communicator_; }
  Collectives& collectives() { return *collectives_; }
  Rank rank() const { return collectives_->rank(); }  ///< of this process in `communicator`
  Rank rank_of(int row, int column) const { return ranks_[static_cast<std::size_t>(row * columns_ + column)]; }
  /// Returns what is known of the processes, for a product by this kernel, whose speeds the first call looks up or
  /// measures (speeds_of()). Collective.
  ProductRanks ranks(const std::string& kernel, const GemmShape& product);

 private:
  void place(int rows, int columns, int row, int column);

  MPI_Comm communicator_ = MPI_COMM_NULL;
  std::unique_ptr<RunPlatform> platform_;
  std::unique_ptr<Collectives> collectives_;
  std::vector<Rank> ranks_;                                   // row by row of the grid
  std::map<std::string, std::vector<SpeedFunction>> speeds_;  // by kernel
  int rows_ = 0;
  int columns_ = 0;
};

}  // namespace tombolo
