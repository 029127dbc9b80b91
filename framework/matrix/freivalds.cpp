#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/matrix/freivalds.hpp>
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

/// How many rows of C are judged at once, whose residuals take a megabyte.
std::int64_t rows_at_once(const GemmShape& shape, std::int64_t columns) {
  constexpr std::int64_t elements = 1 << 17;
  return std::min(shape.m, std::max(tile, elements / columns / tile * tile));
}

template <class T>
class Verifier {
 public:
  using Parts = std::span<const MatrixPart<T>>;

  Verifier(const GemmShape& shape, int vectors, std::uint64_t seed, Combination& ranks)
      : shape_(shape),
        vectors_(vectors),
        width_(Groups(shape.n, vectors).width),
        groups_(Groups(shape.n, vectors).count),
        columns_(Groups(shape.n, vectors).columns),
        ranks_(ranks),
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

  Verification verify(Parts a, Parts b, Parts c) {
    for (const auto& [part, values] : b) {
      for (std::int64_t l = 0; l < part.rows; ++l) {
        const T* const row = values + l * part.columns;
        project(row, part, 1, bx_.data() + (part.first_row + l) * columns_);
        for_groups(part, [&](std::int64_t group, std::int64_t first, std::int64_t count) {
          double& whole = norm_b_[size(group)];
          whole = std::hypot(whole, norm(row + first - part.first_column, count));
        });
      }
    }
    ranks_.sum(bx_);
    combine_norms(norm_b_);

    const std::int64_t at_once = rows_at_once(shape_, columns_);
    for (std::int64_t first = 0; first < shape_.m; first += at_once) {
      verify_rows(first, std::min(at_once, shape_.m - first), a, b, c);
    }
    ranks_.largest({&result_.largest_relative_error, 1});
    const bool wrong = result_.worst_ratio > 1;
    result_.decided = wrong || first_open_ < 0;
    result_.ok = !wrong && result_.decided;
    if (!result_.decided) result_.row = first_open_;
    return result_;
  }

 private:
  static std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }

  /// Calls visit(group, first column, columns) for the columns that each group has of a part.
  template <class Visit>
  void for_groups(const Part& part, Visit visit) const {
    const std::int64_t end = part.first_column + part.columns;
    for (std::int64_t first = part.first_column; first < end;) {
      const std::int64_t group = first / width_;
      const std::int64_t next = std::min(end, (group + 1) * width_);
      visit(group, first, next - first);
      first = next;
    }
  }

  /// Adds `factor` times a row of a part of B or C times the vectors, for each group of columns.
  void project(const T* row, const Part& part, double factor, double* out) const {
    for_groups(part, [&](std::int64_t group, std::int64_t first, std::int64_t count) {
      for (int v = 0; v < vectors_; ++v) {
        out[group * vectors_ + v] +=
            factor * signed_sum(row + first - part.first_column, signs_.data() + v * shape_.n + first, count);
      }
    });
  }

  /// Adds rows of a part of A, at most a tile of them, times their rows of bx. Not by BLAS, since the multiplier must
  /// not verify itself.
  void multiply(const T* a, const Part& part, std::int64_t rows, double* out) const {
    std::array<double, depth * tile> packed{};  // by columns; rows beyond the last stay 0
    for (std::int64_t first = 0; first < part.columns; first += depth) {
      const std::int64_t terms = std::min(depth, part.columns - first);
      for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t l = 0; l < terms; ++l) {
          packed[size(l * tile + r)] = static_cast<double>(a[r * part.columns + first + l]);
        }
      }
      for (std::int64_t column = 0; column < columns_; column += tile) {
        const double* y = bx_.data() + (part.first_column + first) * columns_ + column;
        double sums[tile][tile] = {};
        for (std::int64_t l = 0; l < terms; ++l, y += columns_) {
          for (std::int64_t r = 0; r < tile; ++r) {
            for (std::int64_t s = 0; s < tile; ++s) sums[r][s] += packed[size(l * tile + r)] * y[s];
          }
        }
        for (std::int64_t r = 0; r < rows; ++r) {
          for (std::int64_t s = 0; s < tile; ++s) out[r * columns_ + column + s] += sums[r][s];
        }
      }
    }
  }

  /// Calls visit(row of the matrix, its elements, how many rows follow in this part, with it) for every `step`-th row
  /// of a part that is among these.
  template <class Visit>
  static void for_rows(const MatrixPart<T>& held, std::int64_t first, std::int64_t rows, std::int64_t step,
                       Visit visit) {
    const std::int64_t end = std::min(held.part.first_row + held.part.rows, first + rows);
    for (std::int64_t i = std::max(first, held.part.first_row); i < end; i += step) {
      visit(i, held.values + (i - held.part.first_row) * held.part.columns, std::min(step, end - i));
    }
  }

  void verify_rows(std::int64_t first, std::int64_t rows, Parts a, Parts b, Parts c) {
    std::vector<double> residuals(size(rows * columns_));  // A (B x) - C x
    std::vector<double> norms_a(size(rows));
    for (const MatrixPart<T>& held : a) {
      for_rows(held, first, rows, tile, [&](std::int64_t i, const T* row, std::int64_t count) {
        multiply(row, held.part, count, residuals.data() + (i - first) * columns_);
        for (std::int64_t r = 0; r < count; ++r) {
          double& whole = norms_a[size(i - first + r)];
          whole = std::hypot(whole, norm(row + r * held.part.columns, held.part.columns));
        }
      });
    }
    for (const MatrixPart<T>& held : c) {
      for_rows(held, first, rows, 1, [&](std::int64_t i, const T* row, std::int64_t) {
        project(row, held.part, -1, residuals.data() + (i - first) * columns_);
      });
    }
    ranks_.sum(residuals);
    combine_norms(norms_a);

    // Ranks whose sums differ in their last bits have to go the same way from here on.
    std::vector<double> judged(size(2 * rows));  // ratios, then whether a row is open
    for (std::int64_t r = 0; r < rows; ++r) {
      const Judgement row = judge(norms_a[size(r)], residuals.data() + r * columns_);
      judged[size(r)] = row.ratio;
      judged[size(rows + r)] = row.open ? 1 : 0;
    }
    ranks_.largest(judged);
    for (std::int64_t r = 0; r < rows; ++r) {
      if (first_open_ < 0 && judged[size(rows + r)] > 0) first_open_ = first + r;
      double ratio = judged[size(r)];
      // Only for suspect rows, until one row is known to be wrong: recomputing costs as much as multiplying.
      if (ratio > 1 && result_.worst_ratio <= 1 && agrees_by_element(first + r, a, b, c)) ratio = 1;
      if (ratio > result_.worst_ratio) {
        result_.worst_ratio = ratio;
        result_.row = first + r;
      }
    }
  }

  /// Makes norms of parts those of the whole, correct also if squares overflow or underflow; infinite where one is not
  /// finite.
  void combine_norms(std::span<double> norms) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (double& norm : norms) {
      if (!std::isfinite(norm)) norm = infinity;
    }
    std::vector<double> scales(norms.begin(), norms.end());
    ranks_.largest(scales);
    const auto has_scale = [&](std::size_t i) { return scales[i] > 0 && scales[i] < infinity; };
    for (std::size_t i = 0; i < norms.size(); ++i) {
      const double ratio = has_scale(i) ? norms[i] / scales[i] : 0;
      norms[i] = ratio * ratio;
    }
    ranks_.sum(norms);
    for (std::size_t i = 0; i < norms.size(); ++i)
      norms[i] = has_scale(i) ? scales[i] * std::sqrt(norms[i]) : scales[i];
  }

  struct Judgement {
    double ratio = 0;  // the worst of error to tolerance, over the groups that can be judged
    bool open = false;
  };

  Judgement judge(double norm_a, const double* residuals) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Judgement row;
    for (std::int64_t at = 0; at < groups_ * vectors_; ++at) {
      const double scale = norm_a * norm_b_[size(at / vectors_)];  // bound of all partial sums of the product
      const double tolerance = relative_ * scale + underflow_;
      const double error = std::abs(residuals[at]);
      const bool finite = std::isfinite(error);
      const bool may_overflow = !(scale < static_cast<double>(std::numeric_limits<T>::max()) / 4);
      if (!std::isfinite(tolerance) || (!finite && may_overflow)) {
        row.open = true;
      } else if (error != 0) {
        row.ratio = std::max(row.ratio, finite ? error / tolerance : infinity);
        const double relative = finite ? error / scale : infinity;
        result_.largest_relative_error = std::max(result_.largest_relative_error, relative);
      }
    }
    return row;
  }

  /// Returns true if a row of C is within the worst-case rounding errors for any order of summation.
  bool agrees_by_element(std::int64_t row, Parts a, Parts b, Parts c) const {
    const auto copy_row = [&](Parts parts, double* to) {
      for (const MatrixPart<T>& held : parts) {
        for_rows(held, row, 1, 1, [&](std::int64_t, const T* values, std::int64_t) {
          std::copy_n(values, held.part.columns, to + held.part.first_column);
        });
      }
    };
    std::vector<double> of_a(size(shape_.k));
    copy_row(a, of_a.data());
    ranks_.sum(of_a);
    std::vector<double> sums(size(3 * shape_.n));
    double* const sizes = sums.data() + shape_.n;
    double* const of_c = sizes + shape_.n;
    copy_row(c, of_c);
    for (const auto& [part, values] : b) {
      for (std::int64_t l = 0; l < part.rows; ++l) {
        for (std::int64_t j = 0; j < part.columns; ++j) {
          const double term = of_a[size(part.first_row + l)] * static_cast<double>(values[l * part.columns + j]);
          sums[size(part.first_column + j)] += term;
          sizes[part.first_column + j] += std::abs(term);
        }
      }
    }
    ranks_.sum(sums);
    const double epsilon = static_cast<double>(shape_.k + 1) * static_cast<double>(std::numeric_limits<T>::epsilon());
    double worst = 0;
    for (std::int64_t j = 0; j < shape_.n; ++j) {
      if (!(std::abs(sums[size(j)] - of_c[j]) <= epsilon * sizes[j] + underflow_)) worst = 1;
    }
    ranks_.largest({&worst, 1});
    return worst == 0;
  }

  GemmShape shape_;
  int vectors_;
  std::int64_t width_;
  std::int64_t groups_;
  std::int64_t columns_;  // columns of bx
  Combination& ranks_;
  std::vector<double> signs_;   // vectors x n, 1 or -1
  std::vector<double> bx_;      // k x columns
  std::vector<double> norm_b_;  // Frobenius norms by group
  double relative_ = 0;
  double underflow_ = 0;
  std::int64_t first_open_ = -1;  // the first row that could not be judged
  Verification result_;
};

/// A rank that has all three matrices.
class Alone : public Combination {
  void sum(std::span<double>) override {}
  void largest(std::span<double>) override {}
};

}  // namespace

template <class T>
Verification freivalds(const GemmShape& shape, std::span<const MatrixPart<T>> a, std::span<const MatrixPart<T>> b,
                       std::span<const MatrixPart<T>> c, Combination& ranks, int vectors, std::uint64_t seed) {
  if (shape.m < 0 || shape.n < 0 || shape.k < 0) {
    throw Error(fmt::format("a product of {} x {} by {} x {} to verify", shape.m, shape.k, shape.k, shape.n),
                "give dimensions of 0 or more");
  }
  if (vectors < 1 || vectors > 8) {
    throw Error(fmt::format("verification with {} vectors", vectors), "use 1 to 8; 2 are enough as a rule");
  }
  if (shape.m == 0 || shape.n == 0) return {};  // the other dimensions may be huge
  return Verifier<T>(shape, vectors, seed, ranks).verify(a, b, c);
}

template <class T>
Verification freivalds(GemmShape shape, const T* a, const T* b, const T* c, int vectors, std::uint64_t seed) {
  const MatrixPart<T> all_of_a{{0, shape.m, 0, shape.k}, a};
  const MatrixPart<T> all_of_b{{0, shape.k, 0, shape.n}, b};
  const MatrixPart<T> all_of_c{{0, shape.m, 0, shape.n}, c};
  Alone alone;
  return freivalds<T>(shape, {&all_of_a, 1}, {&all_of_b, 1}, {&all_of_c, 1}, alone, vectors, seed);
}

double freivalds_bytes(GemmShape shape, int vectors) {
  if (shape.m == 0 || shape.n == 0) return 0;
  const Groups groups(shape.n, vectors);
  const auto n = static_cast<double>(shape.n);
  const auto k = static_cast<double>(shape.k);
  const auto columns = static_cast<double>(groups.columns);
  const auto rows = static_cast<double>(rows_at_once(shape, groups.columns));
  const double again = k + 3 * n;  // of a row that is computed again
  return (columns * (k + rows) + n * vectors + std::max(4 * rows, again) + 2 * most_groups) * sizeof(double);
}

#define TOMBOLO_FOR(T)                                                                                              \
  template Verification freivalds(const GemmShape&, std::span<const MatrixPart<T>>, std::span<const MatrixPart<T>>, \
                                  std::span<const MatrixPart<T>>, Combination&, int, std::uint64_t);                \
  template Verification freivalds(GemmShape, const T*, const T*, const T*, int, std::uint64_t);
TOMBOLO_FOR(float)
TOMBOLO_FOR(double)
#undef TOMBOLO_FOR

}  // namespace tombolo
