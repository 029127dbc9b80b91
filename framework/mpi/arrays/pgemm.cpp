#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <span>
#include <string>

#include <fmt/format.h>

#include <tombolo/framework/mpi/arrays/blacs_grid.hpp>
#include <tombolo/framework/mpi/arrays/distributed_product.hpp>
#include <tombolo/framework/mpi/arrays/pgemm.hpp>
#include <tombolo/framework/mpi/session/same_call.hpp>
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
  /// This rank's first element, and the distance of its lines in memory.
  T* elements() const { return elements_ + first_in_array_; }
  std::int64_t stride() const { return descriptor_[lld]; }
  /// Throws Error if the columns of this rank's array are too short for its rows.
  void check_array(const char* name) const;

 private:
  T* elements_;
  const int* descriptor_;
  std::int64_t first_row_;
  std::int64_t first_column_;
  std::int64_t rows_needed_ = 1;  // of this rank's array
  std::int64_t first_in_array_ = 0;
  Distribution distribution_ = Distribution::at(0, {0, 0}, 1);
};

/// Returns the index in the local array: ScaLAPACK's INDXG2L, from 0 on.
std::int64_t local(std::int64_t index, std::int64_t block, std::int64_t processes) {
  return index / (block * processes) * block + index % block;
}

template <class T>
Submatrix<T>::Submatrix(const char* name, const BlacsGrid& grid, const Argument<T>& argument, MatrixShape shape)
    : elements_(argument.elements),
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
  std::optional<std::int64_t> begin;
  for (const Part& part : distribution_.parts(grid.rank())) {
    if (part.elements() == 0) continue;
    const std::int64_t row = local(first_row_ + part.first_column, descriptor_[mb], grid.rows());
    const std::int64_t column = local(first_column_ + part.first_row, descriptor_[nb], grid.columns());
    if (!begin) begin = column * stride() + row;
    rows_needed_ = std::max(rows_needed_, row + part.columns);
  }
  first_in_array_ = begin.value_or(0);
}

template <class T>
void Submatrix<T>::check_array(const char* name) const {
  if (descriptor_[lld] >= rows_needed_) return;
  throw Error(fmt::format("{} has columns of {} elements in memory and {} rows", name, descriptor_[lld], rows_needed_),
              "give an array with room for all rows");
}

/// What a factor stands for.
struct Form {
  bool transposed = false;
  bool conjugated = false;
};

Form form_of(const char* name, char op) {
  if (op == 'N' || op == 'n') return {};
  if (op == 'T' || op == 't') return {.transposed = true};
  if (op == 'C' || op == 'c') return {.transposed = true, .conjugated = true};
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

/// The arguments of a product.
template <Element T>
struct Call {
  const char* name;
  char transa;
  char transb;
  GemmShape shape;
  T alpha;
  Argument<const T> a;
  Argument<const T> b;
  T beta;
  Argument<T> c;

  /// All but what may differ among ranks.
  std::string in_words() const {
    const auto held = [](const auto& matrix) {
      return fmt::format("{}, {} on of {}", *matrix.row, *matrix.column,
                         fmt::join(std::span(matrix.descriptor, std::size_t{lld}), " "));
    };
    return fmt::format("calls {} {} {} {} {} {} with alpha {}, A {}, B {}, beta {}, C {}", name, transa, transb,
                       shape.m, shape.n, shape.k, tombolo::in_words(alpha), held(a), held(b), tombolo::in_words(beta),
                       held(c));
  }
};

template <Element T>
void product(BlacsGrid& grid, const Call<T>& call) {
  const auto& [name, transa, transb, shape, alpha, of_a, of_b, beta, of_c] = call;
  std::optional<Submatrix<const T>> a;
  std::optional<Submatrix<const T>> b;
  std::optional<Submatrix<T>> c;
  Form form_of_a;
  Form form_of_b;
  ProductMatrices matrices{
      .a = Distribution::at(0, {0, 0}, 1), .b = Distribution::at(0, {0, 0}, 1), .c = Distribution::at(0, {0, 0}, 1)};
  const auto check_all = [&] {
    check(shape, of_a.descriptor, of_b.descriptor, of_c.descriptor);
    form_of_a = form_of("TRANSA", transa);
    form_of_b = form_of("TRANSB", transb);
    a.emplace("A", grid, of_a, shape_in_memory(shape.m, shape.k, form_of_a.transposed));
    b.emplace("B", grid, of_b, shape_in_memory(shape.k, shape.n, form_of_b.transposed));
    c.emplace("C", grid, of_c, MatrixShape{shape.m, shape.n});
    a->check_array("A");
    b->check_array("B");
    c->check_array("C");
    // All are transposes of what PBLAS means, so the factors change places.
    matrices = {b->distribution(), form_of_b.transposed, a->distribution(), form_of_a.transposed, c->distribution()};
    return call.in_words();
  };
  try {
    agree_on_call(grid.communicator(), check_all);
  } catch (const Error& error) {
    throw AgreedError(error.what());  // the same on all ranks
  }
  const ProductPlace place{.collectives = grid.collectives(),
                           .communicator = grid.communicator(),
                           .ranks = [&](const GemmShape& of) { return grid.ranks(name_of_gemm<T>, of); }};
  multiply_at<T>(place, matrices, alpha, beta,
                 {.a = {b->elements(), form_of_b.conjugated},
                  .b = {a->elements(), form_of_a.conjugated},
                  .c = c->elements(),
                  .strides = {.a = b->stride(), .b = a->stride(), .c = c->stride()}});
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

#define TOMBOLO_PGEMM(NAME, T)                                                                                    \
  void NAME(const char* transa, const char* transb, const int* m, const int* n, const int* k, const T* alpha,     \
            const T* a, const int* ia, const int* ja, const int* desca, const T* b, const int* ib, const int* jb, \
            const int* descb, const T* beta, T* c, const int* ic, const int* jc, const int* descc) {              \
    tombolo::call(#NAME, descc[tombolo::ctxt], [&](tombolo::BlacsGrid& grid) {                                    \
      tombolo::product<T>(grid, {#NAME,                                                                           \
                                 *transa,                                                                         \
                                 *transb,                                                                         \
                                 {*m, *n, *k},                                                                    \
                                 *alpha,                                                                          \
                                 {a, ia, ja, desca},                                                              \
                                 {b, ib, jb, descb},                                                              \
                                 *beta,                                                                           \
                                 {c, ic, jc, descc}});                                                            \
    });                                                                                                           \
  }
TOMBOLO_PGEMM(tombolo_psgemm_, float)
TOMBOLO_PGEMM(tombolo_pdgemm_, double)
TOMBOLO_PGEMM(tombolo_pcgemm_, std::complex<float>)
TOMBOLO_PGEMM(tombolo_pzgemm_, std::complex<double>)
#undef TOMBOLO_PGEMM
