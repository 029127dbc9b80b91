#include <algorithm>
#include <cmath>
#include <limits>

#include <tombolo/framework/arrays/product/block_plan.hpp>

namespace tombolo {

namespace {

constexpr std::int64_t least_rows = 32;      // of a rank
constexpr std::int64_t least_columns = 256;  // of a block

/// Where `at` is between `first` and `last`, from 0 to 1.
double place(std::int64_t at, std::int64_t first, std::int64_t last) {
  return last > first ? static_cast<double>(at - first) / static_cast<double>(last - first) : 1;
}

/// The size up to which a need that grows from `low` at `first` to `high` at `last` is at most `most`; `first` at
/// least.
std::int64_t grown(std::int64_t first, std::int64_t last, double low, double high, double most) {
  if (high <= most) return last;
  const double share = std::max(most - low, 0.0) / (high - low) * (1 + 1e-14);  // rounding must not cost one
  return first + static_cast<std::int64_t>(share * static_cast<double>(last - first));
}

/// The size of parts as equal as possible, in the least number of parts of at most `most`.
std::int64_t evened(std::int64_t all, std::int64_t most) {
  const std::int64_t parts = (all - 1) / most + 1;
  return (all - 1) / parts + 1;
}

}  // namespace

MatrixShape smallest_block(const GemmShape& product, int ranks) {
  return {std::min(product.m, least_rows * ranks), std::min(product.n, least_columns)};
}

MatrixShape plan_block(const GemmShape& product, int ranks, const BlockNeeds& needs, double most) {
  const auto [m, n, k] = product;
  const MatrixShape smallest = smallest_block(product, ranks);
  if (m == 0 || n == 0) return smallest;
  MatrixShape best = smallest;
  double least = std::numeric_limits<double>::infinity();  // read and moved, in elements for each index of k
  const std::int64_t widest = grown(smallest.columns, n, needs.smallest, needs.wide, most);
  // Beyond 256 blocks across, one more makes no difference worth looking at all numbers.
  for (std::int64_t across = (n - 1) / widest + 1; across <= n / smallest.columns; across += 1 + across / 256) {
    const auto for_a = static_cast<double>(across) * static_cast<double>(m);
    if (for_a >= least) break;  // more blocks across cannot be better
    const std::int64_t width = (n - 1) / across + 1;
    const double at = place(width, smallest.columns, n);
    const double low = std::lerp(needs.smallest, needs.wide, at);
    const double high = std::lerp(needs.high, needs.whole, at);
    if (low > most) continue;
    const std::int64_t height = evened(m, grown(smallest.rows, m, low, high, most));
    const std::int64_t down = (m - 1) / height + 1;
    const double moved = for_a + static_cast<double>(down) * static_cast<double>(n);
    if (moved >= least) continue;
    least = moved;
    best = {height, width};
  }
  return best;
}

}  // namespace tombolo
