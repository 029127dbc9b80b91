#pragma once

// Matrices: element types, parts, distributions over ranks, files' headers, products and their verification.

#include <algorithm>
#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/units.hpp>

namespace tombolo {

/// The element types of matrices, with NumPy's names.
enum class ElementType { float32, float64, complex64, complex128 };

/// Properties of an element type.
struct ElementInfo {
  ElementType type;
  std::string_view name;   ///< "float64"
  std::string_view descr;  ///< spelling in .npy headers: "<f8"
  Bytes bytes;             ///< size of one element
};

/// All element types, in the order of the enumeration.
inline constexpr std::array<ElementInfo, 4> element_types{{
    {ElementType::float32, "float32", "<f4", 4},
    {ElementType::float64, "float64", "<f8", 8},
    {ElementType::complex64, "complex64", "<c8", 8},
    {ElementType::complex128, "complex128", "<c16", 16},
}};

/// element_info(ElementType::float64).bytes == 8
constexpr const ElementInfo& element_info(ElementType type) {
  return element_types[static_cast<std::size_t>(type)];
}

template <class T>
concept Element = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::complex<float>> ||
                  std::same_as<T, std::complex<double>>;

/// element_type_of<double> == ElementType::float64
template <Element T>
inline constexpr ElementType element_type_of = std::same_as<T, float>                 ? ElementType::float32
                                               : std::same_as<T, double>              ? ElementType::float64
                                               : std::same_as<T, std::complex<float>> ? ElementType::complex64
                                                                                      : ElementType::complex128;

/// The numbers of rows and columns of a matrix.
struct MatrixShape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  bool operator==(const MatrixShape&) const = default;
};

/// A rectangle of a matrix, possibly empty.
struct Part {
  std::int64_t first_row = 0;
  std::int64_t rows = 0;
  std::int64_t first_column = 0;
  std::int64_t columns = 0;

  std::int64_t elements() const { return rows * columns; }
  /// Returns the position of these elements in the transpose.
  Part transposed() const { return {first_column, columns, first_row, rows}; }
  bool operator==(const Part&) const = default;
};

/// Returns the intersection of two parts, a part without elements if they are disjoint.
inline Part overlap(const Part& one, const Part& other) {
  const auto common = [](std::int64_t begin, std::int64_t end) { return std::max<std::int64_t>(end - begin, 0); };
  const std::int64_t row = std::max(one.first_row, other.first_row);
  const std::int64_t column = std::max(one.first_column, other.first_column);
  return {row, common(row, std::min(one.first_row + one.rows, other.first_row + other.rows)), column,
          common(column, std::min(one.first_column + one.columns, other.first_column + other.columns))};
}

/// One part of a matrix for each rank. The parts are the cells of a grid: bands of rows of any heights, cut into
/// columns of any widths. The owner of cell (i, j) of a p x q grid, number i * q + j, is the rank of that number, or
/// the owner set by placed().
///
///     Layout::rows({2, 1}, 4)         Layout::columns(3, {3, 1})     Layout::blocks({2, 1}, {3, 1})
///
///         0 0 0 0                         0 0 0 1                        0 0 0 1
///         0 0 0 0                         0 0 0 1                        0 0 0 1
///         1 1 1 1                         0 0 0 1                        2 2 2 3
///
/// A rank's part is contiguous in memory: row-major, but column-major in a layout by columns. So a matrix by rows and
/// its transpose by columns, with the same shares, are the same memory.
///
/// Every rank holds the whole layout. Shares may be 0. Factories throw Error if there is no share, a share or dimension
/// is negative, or a dimension or the number of elements exceeds 2^60.
class Layout {
 public:
  /// The kind of division: by rows, by columns, or in blocks of a grid.
  enum class Kind { rows, columns, blocks };

  /// A layout of one rank without elements.
  Layout() : Layout(Kind::rows, std::vector<std::int64_t>{0}, std::vector<std::int64_t>{0}) {}
  /// Rank r has row_shares[r] whole rows.
  static Layout rows(std::span<const std::int64_t> row_shares, std::int64_t columns);
  /// Rank r has column_shares[r] whole columns.
  static Layout columns(std::int64_t rows, std::span<const std::int64_t> column_shares);
  /// A grid of bands of rows, all cut into the same columns.
  static Layout blocks(std::span<const std::int64_t> row_shares, std::span<const std::int64_t> column_shares);
  /// Returns the same parts with other owners: owners[place] has the cell of that number. Throws Error if a rank is
  /// missing or named twice.
  Layout placed(std::vector<Rank> owners) const;

  Kind kind() const { return kind_; }
  /// Returns true if parts are column-major in memory.
  bool by_columns() const { return kind_ == Kind::columns; }
  int ranks() const { return grid_rows() * grid_columns(); }
  MatrixShape shape() const { return {first_rows_.back(), first_columns_.back()}; }
  int grid_rows() const { return static_cast<int>(first_rows_.size()) - 1; }
  int grid_columns() const { return static_cast<int>(first_columns_.size()) - 1; }

  /// Returns the owner of a cell. Throws std::out_of_range for a cell out of range.
  Rank owner(int place) const;
  /// Returns the cell of a rank. Throws std::out_of_range for a rank out of range.
  int place(Rank rank) const;
  /// Returns the part in a cell. Throws as owner().
  Part part_at(int place) const;
  /// Returns the part of a rank.
  Part part(Rank rank) const { return part_at(place(rank)); }

  bool operator==(const Layout&) const = default;

 private:
  Layout(Kind kind, std::span<const std::int64_t> row_shares, std::span<const std::int64_t> column_shares);

  Kind kind_;
  std::vector<std::int64_t> first_rows_;  // first row of each band, and the end
  std::vector<std::int64_t> first_columns_;
  std::vector<Rank> owners_;  // by cell; empty if cell i belongs to rank i
  std::vector<int> places_;   // by rank
};

/// The ownership of a matrix's elements by ranks; a vector is a matrix of one column. The matrix is cut into the blocks
/// of a grid, of any heights and widths, also 0; each block has an owner, or every rank has a copy of the whole matrix.
///
///     rows({2, 0, 1}, 3)     columns(3, {1, 2})     blocks({2, 1}, {1, 2}, {0, 1, 1, 0}, 2)     at(1, {3, 3}, 2)
///
///         0 0 0                   0 1 1                   0 1 1                                   1 1 1
///         0 0 0                   0 1 1                   0 1 1                                   1 1 1
///         2 2 2                   0 1 1                   1 0 0                                   1 1 1
///
/// In a rank's memory its parts are contiguous, in the order of the grid, each row-major, or column-major if
/// by_columns(). Distributions with the same blocks, owners and memory order are equal, however made: on one rank
/// rows() equals at(0).
///
/// Every rank holds the whole description. Factories throw Error for no ranks or no shares, a rank out of range, a
/// negative share or dimension, or more than 2^60 elements.
class Distribution {
 public:
  /// The whole matrix on one rank.
  static Distribution at(Rank root, MatrixShape shape, int ranks);
  /// A copy on every rank.
  static Distribution everywhere(MatrixShape shape, int ranks);
  /// Rank r has shares[r] consecutive rows.
  static Distribution rows(std::span<const std::int64_t> shares, std::int64_t columns);
  /// Rank r has shares[r] consecutive columns, column-major.
  static Distribution columns(std::int64_t rows, std::span<const std::int64_t> shares);
  /// Blocks in row-major order of the grid; owners[i] owns block i. A rank may own any number of blocks, also none.
  static Distribution blocks(std::span<const std::int64_t> row_shares, std::span<const std::int64_t> column_shares,
                             std::vector<Rank> owners, int ranks);
  /// Rectangles at any place, parts[i] at owners[i]; empty ones are left out. A rank's parts are in its memory from top
  /// to bottom, and from left to right where they begin in the same row. Parts may overlap and need not cover the
  /// matrix: such a distribution is for copies of what ranks need, as the target of a move.
  ///
  /// With `groups`, a number for each rank, ranks read from the parts of their own group, which must hold all that they
  /// need: copies of a matrix, or of a part of it, in several clusters.
  static Distribution rectangles(MatrixShape shape, std::span<const Part> parts, std::span<const Rank> owners,
                                 int ranks, std::vector<int> groups = {});
  /// The parts of a layout, one for each rank.
  explicit Distribution(const Layout& layout);

  MatrixShape shape() const { return grid_.shape(); }
  int ranks() const { return ranks_; }
  bool replicated() const { return replicated_; }
  /// Returns the owner of a matrix in one block; none for several blocks or a replicated matrix.
  std::optional<Rank> root() const;
  bool by_columns() const { return grid_.by_columns(); }
  /// Returns true if every element is in exactly one part: false for a replicated matrix, and for rectangles that
  /// overlap, leave something out or are in groups.
  bool exact() const { return exact_ && !replicated_; }
  /// Returns the group of each rank; empty if all ranks are one group.
  const std::vector<int>& groups() const { return groups_; }
  /// Returns true if `reader` may read the parts of `owner`: if both are in one group, or there are no groups.
  bool may_read(Rank reader, Rank owner) const {
    return groups_.empty() || groups_[static_cast<std::size_t>(reader)] == groups_[static_cast<std::size_t>(owner)];
  }

  /// Returns a rank's parts in the order of its memory, including empty parts at their positions. Throws
  /// std::out_of_range for a rank out of range, as all functions that take a rank.
  std::vector<Part> parts(Rank rank) const;
  /// Number of elements of a rank.
  std::int64_t elements(Rank rank) const;
  /// Largest number of elements of any rank: a buffer of this size suffices everywhere.
  std::int64_t most_elements() const;

  // The blocks, numbered in row-major order of the grid, or of the beginnings of rectangles; one block if replicated.
  int blocks() const { return is_grid() ? grid_.ranks() : static_cast<int>(rectangles_.size()); }
  /// Rows and columns of blocks; 0 for rectangles, which form no grid.
  int grid_rows() const { return is_grid() ? grid_.grid_rows() : 0; }
  int grid_columns() const { return is_grid() ? grid_.grid_columns() : 0; }
  /// Returns the rectangle of a block.
  Part block(int number) const {
    return is_grid() ? grid_.part_at(number) : rectangles_[static_cast<std::size_t>(number)];
  }
  /// Returns the owner of a block; `rank` itself if replicated.
  Rank owner(int number, Rank rank) const { return replicated_ ? rank : owners_[static_cast<std::size_t>(number)]; }
  /// Returns the blocks of a rank, ascending.
  std::span<const int> blocks_of(Rank rank) const;
  /// Returns the blocks that overlap a part of the matrix, ascending.
  std::vector<int> blocks_in(const Part& part) const;

  bool operator==(const Distribution&) const = default;

 private:
  Distribution(Layout grid, std::vector<Rank> owners, int ranks);
  void list_owners();
  bool is_grid() const { return !at_any_place_; }

  Layout grid_;  // positions of the blocks, without owners; of rectangles the shape
  std::vector<Part> rectangles_;
  MatrixShape longest_;        // side of rectangles_, each way
  bool at_any_place_ = false;  // blocks are rectangles_
  bool exact_ = true;
  std::vector<int> groups_;   // by rank; empty: all ranks are one group
  std::vector<Rank> owners_;  // of each block; empty if replicated
  int ranks_ = 1;
  bool replicated_ = false;
  std::vector<int> by_owner_;          // the blocks of rank 0, then those of rank 1, ...
  std::vector<std::size_t> first_of_;  // start of each rank's blocks in by_owner_, and the end
};

/// ScaLAPACK's distribution of a matrix: blocks of one size, dealt to a grid of processes in turn, row by row and
/// column by column. Names in brackets are those of its array descriptors.
struct BlockCyclic {
  MatrixShape block;             ///< rows and columns of a block (MB, NB), at least 1
  int grid_rows = 1;             ///< processes (NPROW)
  int grid_columns = 1;          ///< (NPCOL)
  int source_row = 0;            ///< row of processes that has the first rows (RSRC)
  int source_column = 0;         ///< (CSRC)
  std::vector<Rank> ranks = {};  ///< of the grid, row by row; empty: 0, 1, 2, ...
};

/// Returns the distribution of the part of `shape` that begins at row first_row and column first_column of a matrix in
/// a block-cyclic distribution: by default of that matrix itself. `all_ranks` are the ranks of the communicator, which
/// may be more than those of the grid.
///
///     block_cyclic({5, 7}, {.block = {2, 2}, .grid_rows = 2, .grid_columns = 2}, 4)       0 0 1 1 0 0 1
///                                                                                         0 0 1 1 0 0 1
///                                                                                         2 2 3 3 2 2 3
///                                                                                         2 2 3 3 2 2 3
///                                                                                         0 0 1 1 0 0 1
///
/// In memory each block is contiguous and row-major, as in every Distribution. A local array of ScaLAPACK is instead
/// one column-major matrix of all blocks of a process.
///
/// Throws Error for blocks of less than 1 x 1, a grid of no processes or of other than as many ranks, a source outside
/// the grid, a negative shape or beginning, more than 2^31 - 1 blocks, and as Distribution::blocks().
Distribution block_cyclic(const MatrixShape& shape, const BlockCyclic& how, int all_ranks, std::int64_t first_row = 0,
                          std::int64_t first_column = 0);

/// Memory for elements of a matrix: owned memory, zeroed so that every page is mapped before timing starts; or a part
/// of phantom memory, which has no content and can only be sent and received in a simulation.
template <class T>
class Storage {
 public:
  Storage() = default;
  /// Allocates owned memory for `size` elements.
  explicit Storage(std::int64_t size)
      : own_(std::make_unique<T[]>(static_cast<std::size_t>(size))), data_(own_.get()), size_(size) {}
  /// Uses the beginning of phantom memory. Throws std::logic_error if that is smaller.
  Storage(std::int64_t size, std::span<std::byte> phantom) : data_(reinterpret_cast<T*>(phantom.data())), size_(size) {
    if (static_cast<std::size_t>(size) > phantom.size() / sizeof(T)) {
      throw std::logic_error("a buffer larger than the phantom memory");
    }
  }

  T* data() const { return data_; }
  std::int64_t size() const { return size_; }

 private:
  std::unique_ptr<T[]> own_;
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

/// The header of a matrix file: version 1.0, or none.
enum class FileForm { npy, raw };

/// The header of a .npy file.
struct NpyHeader {
  ElementType type = ElementType::float64;
  bool fortran_order = false;       ///< the first index runs fastest in the file, not the last
  std::vector<std::int64_t> shape;  ///< empty for an array of 0 dimensions, which has one element
  Bytes data_offset = 0;            ///< offset of the first element in the file

  /// The product of the shape, in elements and in bytes; no overflow for headers from read_npy_header.
  std::int64_t elements() const;
  Bytes bytes() const;
};

/// Reads and checks the header of a .npy file of version 1.0, 2.0 or 3.0, and checks that the file holds all its data.
/// Every Error is one line with the path: no such file, unreadable, a directory, not a .npy file, an unknown version, a
/// damaged header, a truncated header or data, an element type that Tombolo does not have, big-endian data.
NpyHeader read_npy_header(const std::filesystem::path& path);

/// Returns the shape of a matrix. Throws Error unless the array has two dimensions; the message shows the path.
MatrixShape matrix_shape(const NpyHeader& header, const std::filesystem::path& path);

/// Returns the header of a matrix in a .npy file of version 1.0, as NumPy writes it; its length, a multiple of 64, is
/// the data offset. Dimensions are at least 0.
std::string npy_header_bytes(ElementType type, const MatrixShape& shape, bool fortran_order = false);

/// A product C = A B of row-major matrices without padding: A is m x k, B is k x n, C is m x n.
struct GemmShape {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  bool operator==(const GemmShape&) const = default;
};

/// Number of multiplications and additions, 2 m n k; a double, because it exceeds 2^63 from m = n = k = 2^21 on.
constexpr double flops(GemmShape shape) {
  return 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
}

/// Multiplications and additions of real numbers in one of elements of type T.
template <Element T>
inline constexpr int real_operations = std::floating_point<T> ? 1 : 4;

/// Computes C = A B by OpenBLAS. C is overwritten and must not overlap A or B. Any dimension
/// may be 0; k = 0 gives zeros. Throws Error if a dimension is negative.
///
/// OpenBLAS counts in int: a dimension above `largest` is cut into parts. The cut is free for m; a larger k makes A be
/// taken row by row, a larger n B too, which is correct but slow. Only tests lower `largest`.
template <Element T>
void gemm(GemmShape shape, const T* a, const T* b, T* c, std::int64_t largest = std::numeric_limits<int>::max());

/// Computes C = A B + C otherwise as gemm().
template <Element T>
void gemm_add(GemmShape shape, const T* a, const T* b, T* c, std::int64_t largest = std::numeric_limits<int>::max());

/// Sets or returns the number of threads of one gemm in this process. Throws Error if threads < 1. OpenBLAS limits the
/// number to its build-time maximum (64 in Debian); blas_threads() returns the number in use.
void set_blas_threads(int threads);
int blas_threads();

/// Returns the number of threads of each rank so that the ranks of a host fill its cores without oversubscription:
/// max(1, cores / ranks). threads_per_rank(8, 3) = 2. Throws Error if ranks_on_host < 1.
int threads_per_rank(int cores, int ranks_on_host);

/// The verdict on a product. ok implies decided; not ok and decided: the product is wrong.
struct Verification {
  bool ok = true;  ///< every row agrees
  /// False: no row is wrong, but at least one cannot be judged, because A or B hold infinities or NaN, or the product
  /// overflows.
  bool decided = true;
  std::int64_t row = -1;  ///< row of the worst ratio; if undecided, the first row that cannot be judged; -1 if none
  /// The largest ratio of error to tolerance. Above 1 is wrong; infinite if C holds infinities or NaN that A B cannot
  /// give.
  double worst_ratio = 0;
  double largest_relative_error = 0;  ///< largest error / (|a_i|_2 |B_g|_F), row i of A, columns g of B
};

/// Verifies C = A B (row-major, T = float or double) in O(mk + kn + mn) time and O(m + n + k) memory, one pass over
/// each matrix, after Freivalds (Fast probabilistic algorithms, MFCS 1979): C x = A (B x) for `vectors` (1 to 8)
/// vectors x of random signs, the same on every machine for the same seed. Each of up to 16 groups of columns is
/// checked separately (x is 0 elsewhere), because the rounding of the other columns would hide an error: this makes the
/// test four times as sharp. Runs on one thread and without BLAS: 0.11 s (float) and 0.13 s (double) for 4096^3 on an
/// EPYC 9004.
///
/// An error in one element above twice the tolerance and twice the certain bound (below) is always detected. Errors in
/// several elements of one row and group can cancel: the probability to miss such errors is at most 2^-vectors for each
/// row and group with errors.
///
/// Tolerance. C has errors E. In row i and group g the residual is sum_j E_ij x_j, which by Hoeffding exceeds t
/// |E_ig|_2 with probability 2 exp(-t^2 / 2), 3e-14 for t = 8, for any E, since E does not depend on x. An inner
/// product of k terms has
///     |E_ij| <= rho(k) u |a_i|.|b_j|,     rho(k) = min(k, 8 sqrt(k')),     u = half of T's epsilon,
/// the first with certainty (Higham, Accuracy and Stability, section 3.1), the second with probability 1 - 2k exp(-32)
/// if rounding errors are like random ones (Higham and Mary, A new approach to probabilistic rounding error analysis,
/// SISC 2019, lambda = 8), where k' = min(k, 1024) + k / 128 because OpenBLAS adds up some hundred products at a time
/// (Blanchard, Higham and Mary, A class of fast and accurate summation algorithms, SISC 2020). By Cauchy and Schwarz
///     |E_ig|_2 <= rho(k) u |a_i|_2 |B_g|_F.
/// The sums of the test are in double, with unit roundoff v: their terms carry random signs, so by Hoeffding no partial
/// sum exceeds t times the same norms, and with groups of w columns, B x and C x add rho(w) v each and A (B x) rho(k)
/// v. Together
///     tolerance = t (rho(k) u + (rho(k) + 2 rho(w)) v) |a_i|_2 |B_g|_F + t sqrt(w) 2k (T's smallest positive number),
/// the last term for products that underflow. For 4096^3 in float on uniform data in [-1, 1) the tolerance is 2.7,
/// where the elements of C have a root mean square of 21; correct products reached 0.0002 of the tolerance, of
/// constants (errors all alike) 0.3. Data can be constructed whose rounding is not like random. So a row beyond its
/// tolerance is computed again, as long as no row is known to be wrong, and is accepted if every element keeps the
/// certain bound, (k + 1) epsilon |a_i|.|b_j|: a correct product is never called wrong.
///
/// Throws Error for negative sizes or `vectors` out of range. m = 0 or n = 0 is ok; for k = 0, C must be 0.
template <class T>
Verification freivalds(GemmShape shape, const T* a, const T* b, const T* c, int vectors = 2, std::uint64_t seed = 1);

/// Returns the memory of freivalds() beside the matrices, in bytes, mostly for B x.
double freivalds_bytes(GemmShape shape, int vectors = 2);

}  // namespace tombolo
