#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include <tombolo/framework/mpi/arrays/blacs_grid.hpp>
#include <tombolo/framework/mpi/arrays/distributed_product.hpp>
#include <tombolo/framework/mpi/arrays/pgemm.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

// Places in a descriptor of a dense block-cyclic matrix.
enum Place { dtype, ctxt, rows_of, columns_of, mb, nb, rsrc, csrc, lld };

/// A matrix as PBLAS takes it.
template <class T>
struct Argument {
  T* elements;
  const int* row;
  const int* column;
  const int* descriptor;
};

/// A part of a matrix of ScaLAPACK, as its transpose: a local array is column-major, so its transpose is row-major.
template <class T>
class Submatrix {
 public:
  /// Throws Error, on all ranks of the grid alike, for what is no such matrix or not within it.
  Submatrix(const char* name, const BlacsGrid& grid, const Argument<T>& argument, MatrixShape shape);

  const Distribution& distribution() const { return distribution_; }
  /// Copies this rank's blocks to `packed`, or from there.
  void copy(bool pack, std::remove_const_t<T>* packed) const;
  /// Throws Error if the columns of this rank's array are too short for its rows.
  void check_array() const;

 private:
  /// Calls visit(row, column, part, packed) with the places of each block in the array and among packed elements.
  template <class Visit>
  void each_block(const Visit& visit) const;

  const char* name_;
  const BlacsGrid& grid_;
  T* elements_;
  const int* descriptor_;
  std::int64_t first_row_;
  std::int64_t first_column_;
  Distribution distribution_ = Distribution::at(0, {0, 0}, 1);
};

template <class T>
Submatrix<T>::Submatrix(const char* name, const BlacsGrid& grid, const Argument<T>& argument, MatrixShape shape)
    : name_(name),
      grid_(grid),
      elements_(argument.elements),
      descriptor_(argument.descriptor),
      first_row_(std::int64_t{*argument.row} - 1),
      first_column_(std::int64_t{*argument.column} - 1) {
  if (descriptor_[dtype] != 1) {
    throw Error(fmt::format("{} has a descriptor of type {}", name, descriptor_[dtype]), "give a dense matrix, type 1");
  }
  if (first_row_ < 0 || first_column_ < 0 || first_row_ + shape.rows > descriptor_[rows_of] ||
      first_column_ + shape.columns > descriptor_[columns_of]) {
    throw Error(fmt::format("{} x {} elements from {}, {} on of {}, which is {} x {}", shape.rows, shape.columns,
                            first_row_ + 1, first_column_ + 1, name, descriptor_[rows_of], descriptor_[columns_of]),
                "give a part of the matrix");
  }
  BlockCyclic how{.block = {descriptor_[nb], descriptor_[mb]},
                  .grid_rows = grid.columns(),
                  .grid_columns = grid.rows(),
                  .source_row = descriptor_[csrc],
                  .source_column = descriptor_[rsrc]};
  for (int column = 0; column < grid.columns(); ++column) {
    for (int row = 0; row < grid.rows(); ++row) how.ranks.push_back(grid.rank_of(row, column));
  }
  distribution_ =
      block_cyclic({shape.columns, shape.rows}, how, grid.rows() * grid.columns(), first_column_, first_row_);
}

/// Returns the index in the local array: ScaLAPACK's INDXG2L, from 0 on.
std::int64_t local(std::int64_t index, std::int64_t block, std::int64_t processes) {
  return index / (block * processes) * block + index % block;
}

template <class T>
template <class Visit>
void Submatrix<T>::each_block(const Visit& visit) const {
  std::int64_t packed = 0;
  for (const Part& part : distribution_.parts(grid_.rank())) {
    if (part.elements() == 0) continue;
    visit(local(first_row_ + part.first_column, descriptor_[mb], grid_.rows()),
          local(first_column_ + part.first_row, descriptor_[nb], grid_.columns()), part, packed);
    packed += part.elements();
  }
}

template <class T>
void Submatrix<T>::copy(bool pack, std::remove_const_t<T>* packed) const {
  each_block([&](std::int64_t row, std::int64_t column, const Part& part, std::int64_t at) {
    for (std::int64_t line = 0; line < part.rows; ++line, at += part.columns) {
      T* const in_array = elements_ + (column + line) * descriptor_[lld] + row;
      if constexpr (!std::is_const_v<T>) {
        if (!pack) std::copy_n(packed + at, part.columns, in_array);
      }
      if (pack) std::copy_n(in_array, part.columns, packed + at);
    }
  });
}

template <class T>
void Submatrix<T>::check_array() const {
  std::int64_t needed = 1;
  each_block([&](std::int64_t row, std::int64_t, const Part& part, std::int64_t) {
    needed = std::max(needed, row + part.columns);
  });
  if (descriptor_[lld] >= needed) return;
  throw Error(fmt::format("{} has columns of {} elements in memory and {} rows", name_, descriptor_[lld], needed),
              "give an array with room for all rows");
}

bool is_transposed(const char* name, char op) {
  if (op == 'N' || op == 'n') return false;
  if (op == 'T' || op == 't' || op == 'C' || op == 'c') return true;
  throw Error(fmt::format("{} is '{}'", name, op), "give N, T or C");
}

MatrixShape shape_in_memory(std::int64_t rows, std::int64_t columns, bool transposed) {
  return transposed ? MatrixShape{columns, rows} : MatrixShape{rows, columns};
}

void check(const GemmShape& shape, const int* desca, const int* descb, const int* descc) {
  if (std::min({shape.m, shape.n, shape.k}) < 0) {
    throw Error(fmt::format("a product of {} x {} by {} x {}", shape.m, shape.k, shape.k, shape.n),
                "give dimensions of 0 or more");
  }
  if (desca[ctxt] != descc[ctxt] || descb[ctxt] != descc[ctxt]) {
    throw Error(fmt::format("A, B and C in BLACS contexts {}, {} and {}", desca[ctxt], descb[ctxt], descc[ctxt]),
                "give matrices of one context");
  }
}

/// A matrix as it is in memory, and this rank's blocks of it, packed.
template <class T>
struct Packed {
  std::optional<Submatrix<T>> matrix = {};
  Storage<std::remove_const_t<T>> blocks = {};

  void look_at(const char* name, const BlacsGrid& grid, const Argument<T>& argument, MatrixShape shape) {
    matrix.emplace(name, grid, argument, shape);
    matrix->check_array();
    blocks = Storage<std::remove_const_t<T>>(matrix->distribution().elements(grid.rank()));
  }
};

template <class T>
void product(BlacsGrid& grid, const GemmShape& shape, char transa, char transb, T alpha, Argument<const T> a,
             Argument<const T> b, T beta, Argument<T> c) {
  bool a_transposed = false;
  bool b_transposed = false;
  Packed<const T> of_a;
  Packed<const T> of_b;
  Packed<T> of_c;
  agree(grid.communicator(), [&] {
    check(shape, a.descriptor, b.descriptor, c.descriptor);
    a_transposed = is_transposed("TRANSA", transa);
    b_transposed = is_transposed("TRANSB", transb);
    of_a.look_at("A", grid, a, shape_in_memory(shape.m, shape.k, a_transposed));
    of_b.look_at("B", grid, b, shape_in_memory(shape.k, shape.n, b_transposed));
    of_c.look_at("C", grid, c, {shape.m, shape.n});
  });
  if (alpha != T{0}) of_a.matrix->copy(true, of_a.blocks.data());
  if (alpha != T{0}) of_b.matrix->copy(true, of_b.blocks.data());
  if (beta != T{0}) of_c.matrix->copy(true, of_c.blocks.data());
  const auto parts = [&](const GemmShape& of) { return parts_by_speed(of, grid.speeds<T>(of), grid.levels()); };
  const ProductPlace place{grid.collectives(), grid.communicator(), parts};
  // All are transposes of what PBLAS means, so the factors change places.
  multiply_at<T>(place, alpha, {of_b.matrix->distribution(), of_b.blocks.data(), b_transposed},
                 {of_a.matrix->distribution(), of_a.blocks.data(), a_transposed}, beta, of_c.matrix->distribution(),
                 of_c.blocks.data());
  of_c.matrix->copy(false, of_c.blocks.data());
}

void print(const char* name, const std::exception& error) {
  fmt::print(stderr, "{}: {}\n", name, error.what());
  std::fflush(stderr);
}

/// Calls work(grid) on the ranks of the grid; prints an error in one line, and ends the program.
template <class Work>
void call(const char* name, int context, const Work& work) {
  BlacsGrid* grid = nullptr;
  try {
    grid = BlacsGrid::of_context(context);
    if (grid != nullptr) work(*grid);
    return;
  } catch (const AgreedError& error) {
    if (grid == nullptr || grid->rank() == 0) print(name, error);
    if (grid != nullptr) MPI_Barrier(grid->communicator());  // nobody ends the program before that
  } catch (const std::exception& error) {
    print(name, error);
  }
  MPI_Abort(MPI_COMM_WORLD, 1);
}

}  // namespace
}  // namespace tombolo

void tombolo_pdgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k,
                     const double* alpha, const double* a, const int* ia, const int* ja, const int* desca,
                     const double* b, const int* ib, const int* jb, const int* descb, const double* beta, double* c,
                     const int* ic, const int* jc, const int* descc) {
  tombolo::call("tombolo_pdgemm_", descc[tombolo::ctxt], [&](tombolo::BlacsGrid& grid) {
    tombolo::product<double>(grid, {.m = *m, .n = *n, .k = *k}, *transa, *transb, *alpha, {a, ia, ja, desca},
                             {b, ib, jb, descb}, *beta, {c, ic, jc, descc});
  });
}

void tombolo_psgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k,
                     const float* alpha, const float* a, const int* ia, const int* ja, const int* desca, const float* b,
                     const int* ib, const int* jb, const int* descb, const float* beta, float* c, const int* ic,
                     const int* jc, const int* descc) {
  tombolo::call("tombolo_psgemm_", descc[tombolo::ctxt], [&](tombolo::BlacsGrid& grid) {
    tombolo::product<float>(grid, {.m = *m, .n = *n, .k = *k}, *transa, *transb, *alpha, {a, ia, ja, desca},
                            {b, ib, jb, descb}, *beta, {c, ic, jc, descc});
  });
}
