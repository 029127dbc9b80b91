#pragma once

#include <complex>

// What the rivals of products use of ScaLAPACK, which comes without headers.
extern "C" {
void blacs_get_(const int* context, const int* what, int* value);
void blacs_gridinit_(int* context, const char* order, const int* rows, const int* columns);
void blacs_gridinfo_(const int* context, int* rows, int* columns, int* row, int* column);
void blacs_gridexit_(const int* context);
#define PGEMM(NAME, T)                                                                                                \
  void NAME(const char*, const char*, const int*, const int*, const int*, const T*, const T*, const int*, const int*, \
            const int*, const T*, const int*, const int*, const int*, const T*, T*, const int*, const int*,           \
            const int*);
PGEMM(psgemm_, float)
PGEMM(pdgemm_, double)
PGEMM(pcgemm_, std::complex<float>)
PGEMM(pzgemm_, std::complex<double>)
#undef PGEMM
int numroc_(const int* n, const int* block, const int* process, const int* source, const int* processes);
}

namespace tombolo::test {

/// A process grid of BLACS, on all ranks or the first ones.
struct BlacsGrid {
  int context = 0;
  int rows = 0;
  int columns = 0;
  int row = -1;  ///< of this process; -1 if it is not in the grid
  int column = -1;

  /// `order`: "Row" or "Column", along which processes are numbered.
  BlacsGrid(int rows_of_grid, int columns_of_grid, const char* order) {
    const int nothing = -1;
    const int system = 0;
    blacs_get_(&nothing, &system, &context);
    blacs_gridinit_(&context, order, &rows_of_grid, &columns_of_grid);
    if (context >= 0) blacs_gridinfo_(&context, &rows, &columns, &row, &column);
  }
  ~BlacsGrid() {
    if (has_me()) blacs_gridexit_(&context);
  }
  BlacsGrid(const BlacsGrid&) = delete;
  BlacsGrid& operator=(const BlacsGrid&) = delete;
  bool has_me() const { return row >= 0; }
};

}  // namespace tombolo::test
