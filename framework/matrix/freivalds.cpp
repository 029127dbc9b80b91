#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/matrix/random_matrix.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

constexpr double hoeffding = 8;           // t
constexpr std::int64_t most_groups = 16;  // column groups
constexpr std::int64_t least_width = 64;  // of a group; narrower groups would cost more than B itself
constexpr std::int64_t tile = 4;          // rows and columns of a register tile of sums
constexpr std::int64_t depth = 256;       // of a block of A, within the L1 cache
constexpr std::int64_t lanes = 8;         // independent sums: the compiler may not reorder a single one

double sum_of(const std::array<double, lanes>& sums) {
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

template <class T>
double signed_sum(const T* values, const double* signs, std::int64_t count) {
  std::array<double, lanes> sums{};
  std::int64_t j = 0;
  for (; j + lanes <= count; j += lanes) {
    for (std::int64_t s = 0; s < lanes; ++s) {
      sums[static_cast<std::size_t>(s)] += static_cast<double>(values[j + s]) * signs[j + s];
    }
  }
  for (; j < count; ++j) sums[0] += static_cast<double>(values[j]) * signs[j];
  return sum_of(sums);
}

/// Returns the 2-norm, correct also if squares overflow or underflow; not finite if a value is not.
template <class T>
double norm(const T* values, std::int64_t count) {
  std::array<double, lanes> sums{};
  std::int64_t j = 0;
  for (; j + lanes <= count; j += lanes) {
    for (std::int64_t s = 0; s < lanes; ++s) {
      const auto value = static_cast<double>(values[j + s]);
      sums[static_cast<std::size_t>(s)] += value * value;
    }
  }
  for (; j < count; ++j) sums[0] += static_cast<double>(values[j]) * static_cast<double>(values[j]);
  const double squares = sum_of(sums);
  if (squares > 1e-200 && squares < 1e300) return std::sqrt(squares);
  double slow = 0;
  for (j = 0; j < count; ++j) slow = std::hypot(slow, static_cast<double>(values[j]));
  return slow;
}

/// Returns rho(k), the rounding error of an inner product of k terms, in unit roundoffs of the sum of their magnitudes.
double rho(std::int64_t k) {
  const auto terms = static_cast<double>(k);
  return std::min(terms, 8 * std::sqrt(std::min(terms, 1024.0) + terms / 128));
}

/// The groups of columns of B and C, and the number of columns of B x: groups times vectors, padded to whole tiles.
struct Groups {
  Groups(std::int64_t n, int vectors)
      : width(std::max(least_width, (n + most_groups - 1) / most_groups)),
        count((n + width - 1) / width),
        columns((count * vectors + tile - 1) / tile * tile) {}
  std::int64_t width;
  std::int64_t count;
  std::int64_t columns;
};

template <class T>
class Verifier {
 public:
  Verifier(GemmShape shape, int vectors, std::uint64_t seed)
      : shape_(shape),
        vectors_(vectors),
        width_(Groups(shape.n, vectors).width),
        groups_(Groups(shape.n, vectors).count),
        columns_(Groups(shape.n, vectors).columns),
        signs_(size(vectors * shape.n)),
        bx_(size(shape.k * columns_)),
        norm_b_(size(groups_)) {
    constexpr std::uint64_t stream = 0x4672656976616c64;  // differs from the streams of generated matrices
    for (int v = 0; v < vectors; ++v) {
      std::uint64_t state = row_key(seed, stream, static_cast<std::uint64_t>(v));
      for (std::int64_t j = 0; j < shape.n; ++j, state += golden_gamma) {
        signs_[size(v * shape.n + j)] = mix64(state) >> 63 ? -1.0 : 1.0;
      }
    }
    const double u = std::numeric_limits<T>::epsilon() / 2;
    constexpr double v = std::numeric_limits<double>::epsilon() / 2;
    relative_ = hoeffding * (rho(shape.k) * u + (rho(shape.k) + 2 * rho(width_)) * v);
    underflow_ = hoeffding * std::sqrt(static_cast<double>(width_)) * 2 * static_cast<double>(shape.k) *
                 static_cast<double>(std::numeric_limits<T>::denorm_min());
  }

  Verification verify(const T* a, const T* b, const T* c) {
    for (std::int64_t l = 0; l < shape_.k; ++l) {
      const T* const row = b + l * shape_.n;
      project(row, bx_.data() + l * columns_);
      for (std::int64_t g = 0; g < groups_; ++g) {
        double& whole = norm_b_[size(g)];
        whole = std::hypot(whole, norm(row + g * width_, width_of(g)));
      }
    }
    std::vector<double> abx(size(tile * columns_));
    std::vector<double> cx(size(columns_));
    for (std::int64_t i = 0; i < shape_.m; i += tile) {
      const std::int64_t rows = std::min(tile, shape_.m - i);
      multiply(a + i * shape_.k, rows, abx.data());
      for (std::int64_t r = 0; r < rows; ++r) {
        const T* const row_a = a + (i + r) * shape_.k;
        const T* const row_c = c + (i + r) * shape_.n;
        project(row_c, cx.data());
        double ratio = judge(i + r, norm(row_a, shape_.k), abx.data() + r * columns_, cx.data());
        // Only for suspect rows, until one row is known to be wrong: recomputing costs as much as multiplying.
        if (ratio > 1 && result_.worst_ratio <= 1 && agrees_by_element(row_a, b, row_c)) ratio = 1;
        if (ratio > result_.worst_ratio) {
          result_.worst_ratio = ratio;
          result_.row = i + r;
        }
      }
    }
    const bool wrong = result_.worst_ratio > 1;
    result_.decided = wrong || first_open_ < 0;
    result_.ok = !wrong && result_.decided;
    if (!result_.decided) result_.row = first_open_;
    return result_;
  }

 private:
  static std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }
  std::int64_t width_of(std::int64_t group) const { return std::min(width_, shape_.n - group * width_); }

  /// Multiplies a row of B or C by the vectors, for each group of columns.
  void project(const T* row, double* out) const {
    for (std::int64_t g = 0; g < groups_; ++g) {
      for (int v = 0; v < vectors_; ++v) {
        const std::int64_t first = g * width_;
        out[g * vectors_ + v] = signed_sum(row + first, signs_.data() + v * shape_.n + first, width_of(g));
      }
    }
  }

  /// Computes out (tile x columns) = rows of A times bx. Not by BLAS, since the multiplier must not verify itself.
  void multiply(const T* a, std::int64_t rows, double* out) const {
    std::fill_n(out, tile * columns_, 0.0);
    std::array<double, depth * tile> packed{};  // by columns; rows beyond the last stay 0
    for (std::int64_t first = 0; first < shape_.k; first += depth) {
      const std::int64_t terms = std::min(depth, shape_.k - first);
      for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t l = 0; l < terms; ++l) {
          packed[size(l * tile + r)] = static_cast<double>(a[r * shape_.k + first + l]);
        }
      }
      for (std::int64_t column = 0; column < columns_; column += tile) {
        const double* y = bx_.data() + first * columns_ + column;
        double sums[tile][tile] = {};
        for (std::int64_t l = 0; l < terms; ++l, y += columns_) {
          for (std::int64_t r = 0; r < tile; ++r) {
            for (std::int64_t s = 0; s < tile; ++s) sums[r][s] += packed[size(l * tile + r)] * y[s];
          }
        }
        for (std::int64_t r = 0; r < tile; ++r) {
          for (std::int64_t s = 0; s < tile; ++s) out[r * columns_ + column + s] += sums[r][s];
        }
      }
    }
  }

  /// Returns the worst ratio of error to tolerance in a row, over the groups that can be judged.
  double judge(std::int64_t row, double norm_a, const double* abx, const double* cx) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double worst = 0;
    for (std::int64_t at = 0; at < groups_ * vectors_; ++at) {
      const double scale = norm_a * norm_b_[size(at / vectors_)];  // bound of all partial sums of the product
      const double tolerance = relative_ * scale + underflow_;
      const double error = std::abs(abx[at] - cx[at]);
      const bool finite = std::isfinite(error);
      const bool may_overflow = !(scale < static_cast<double>(std::numeric_limits<T>::max()) / 4);
      if (!std::isfinite(abx[at]) || !std::isfinite(tolerance) || (!finite && may_overflow)) {
        if (first_open_ < 0) first_open_ = row;
      } else if (error != 0) {
        const double ratio = finite ? error / tolerance : infinity;
        worst = std::max(worst, ratio);
        const double relative = finite ? error / scale : infinity;
        result_.largest_relative_error = std::max(result_.largest_relative_error, relative);
      }
    }
    return worst;
  }

  /// Returns true if a row of C is within the worst-case rounding errors for any order of summation.
  bool agrees_by_element(const T* a, const T* b, const T* c) const {
    std::vector<double> sums(size(shape_.n));
    std::vector<double> sizes(size(shape_.n));
    for (std::int64_t l = 0; l < shape_.k; ++l) {
      for (std::int64_t j = 0; j < shape_.n; ++j) {
        const double term = static_cast<double>(a[l]) * static_cast<double>(b[l * shape_.n + j]);
        sums[size(j)] += term;
        sizes[size(j)] += std::abs(term);
      }
    }
    const double epsilon = static_cast<double>(shape_.k + 1) * static_cast<double>(std::numeric_limits<T>::epsilon());
    for (std::int64_t j = 0; j < shape_.n; ++j) {
      if (!(std::abs(sums[size(j)] - static_cast<double>(c[j])) <= epsilon * sizes[size(j)] + underflow_)) return false;
    }
    return true;
  }

  GemmShape shape_;
  int vectors_;
  std::int64_t width_;
  std::int64_t groups_;
  std::int64_t columns_;        // columns of bx
  std::vector<double> signs_;   // vectors x n, 1 or -1
  std::vector<double> bx_;      // k x columns
  std::vector<double> norm_b_;  // Frobenius norms by group
  double relative_ = 0;
  double underflow_ = 0;
  std::int64_t first_open_ = -1;  // the first row that could not be judged
  Verification result_;
};

}  // namespace

template <class T>
Verification freivalds(GemmShape shape, const T* a, const T* b, const T* c, int vectors, std::uint64_t seed) {
  if (shape.m < 0 || shape.n < 0 || shape.k < 0) {
    throw Error(fmt::format("a product of {} x {} by {} x {} to verify", shape.m, shape.k, shape.k, shape.n),
                "give dimensions of 0 or more");
  }
  if (vectors < 1 || vectors > 8) {
    throw Error(fmt::format("verification with {} vectors", vectors), "use 1 to 8; 2 are enough as a rule");
  }
  if (shape.m == 0 || shape.n == 0) return {};  // the other dimensions may be huge
  return Verifier<T>(shape, vectors, seed).verify(a, b, c);
}

double freivalds_bytes(GemmShape shape, int vectors) {
  if (shape.m == 0 || shape.n == 0) return 0;
  const double columns = static_cast<double>(Groups(shape.n, vectors).columns);
  const double signs = static_cast<double>(shape.n) * (vectors + 2);  // plus the sums to recompute a row
  return (columns * (static_cast<double>(shape.k) + tile + 1) + signs + most_groups) * sizeof(double);
}

template Verification freivalds(GemmShape, const float*, const float*, const float*, int, std::uint64_t);
template Verification freivalds(GemmShape, const double*, const double*, const double*, int, std::uint64_t);

}  // namespace tombolo
