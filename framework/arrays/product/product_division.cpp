#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/arrays/product/product_division.hpp>
#include <tombolo/framework/partition/rectangles.hpp>
#include <tombolo/platform/stable_hash.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

// Moving C is worth it below this part of the time where C stays, as matmul compares rows and columns.
constexpr int worth_moving_percent = 95;
constexpr Wide ps_per_s = 1'000'000'000'000;
constexpr Picoseconds latencies_of_panel = 1000;  // at least, of computation: ranks also wait for each other's start
constexpr std::int64_t shortest = 128;            // range of the inner dimension that is worth a call of gemm

MatrixShape shape_of(const Distribution& held, bool transposed) {
  const auto [rows, columns] = held.shape();
  return transposed ? MatrixShape{columns, rows} : MatrixShape{rows, columns};
}

void add(StableHash& hash, const Distribution& distribution) {
  const auto [rows, columns] = distribution.shape();
  for (const std::int64_t number :
       {rows, columns, std::int64_t{distribution.ranks()}, std::int64_t{distribution.replicated()},
        std::int64_t{distribution.by_columns()}, std::int64_t{distribution.grid_rows()},
        std::int64_t{distribution.grid_columns()}, std::int64_t{distribution.blocks()}}) {
    hash.add_number(number);
  }
  for (int number = 0; number < distribution.blocks(); ++number) {
    hash.add_number(distribution.owner(number, 0));
    // A block of a grid is where its row and its column of blocks are.
    const int across = distribution.grid_columns();
    if (across > 0 && number >= across && number % across != 0) continue;
    const Part part = distribution.block(number);
    for (const std::int64_t side : {part.first_row, part.rows, part.first_column, part.columns}) hash.add_number(side);
  }
  for (const int group : distribution.groups()) hash.add_number(group);
}

/// In integers, so that all ranks agree.
Picoseconds computing(const ProductLines& lines, const GemmShape& shape, FlopsPerSecond speed) {
  constexpr Wide longest = std::numeric_limits<Picoseconds>::max() / 128;
  const Wide of_element = 2 * ps_per_s * shape.k / std::max<FlopsPerSecond>(speed, 1);  // of C
  return static_cast<Picoseconds>(
      std::min(Wide{lines.height()} * lines.width() * std::min(of_element, longest), longest));
}

/// Returns the time of the slowest rank.
Picoseconds computing(const GemmShape& shape, std::span<const ProductLines> lines,
                      std::span<const FlopsPerSecond> speeds) {
  Picoseconds most = 0;
  for (std::size_t rank = 0; rank < lines.size(); ++rank) {
    most = std::max(most, computing(lines[rank], shape, speeds[rank]));
  }
  return most;
}

Picoseconds moving(const Redistribution& moves, Bytes element, const ProductRanks& ranks) {
  // Of more ranks no rank knows all counts.
  if (moves.ranks() > Redistribution::most_in_matrix) return 0;
  const std::optional<Request> request = moves.request(0, element);
  return request ? ranks.time_of_moves(*request) : 0;
}

/// Without the way of C to where it is held.
Picoseconds time_of(const ProductMatrices& matrices, const GemmShape& shape, std::span<const ProductLines> lines,
                    Bytes element, const ProductRanks& ranks) {
  const std::array all_of_k{InnerRange{0, shape.k}};
  return computing(shape, lines, ranks.speeds) +
         moving({matrices.a, needed_of_a(shape, lines, all_of_k), matrices.a_transposed}, element, ranks) +
         moving({matrices.b, needed_of_b(shape, lines, all_of_k), matrices.b_transposed}, element, ranks);
}

std::vector<ProductLines> by_speed(const GemmShape& shape, const ProductRanks& ranks) {
  const MatrixShape c{shape.m, shape.n};
  return lines_of(clusters(ranks.levels).size() > 1 ? nested_partition(c, ranks.speeds, ranks.levels)
                                                    : column_partition(c, ranks.speeds));
}

Picoseconds latency_of(const ProductRanks& ranks) {
  const auto number = static_cast<int>(ranks.speeds.size());
  return number == 1 ? 0 : ranks.time_of_moves(Request::barrier(number));
}

/// Bytes of the parts of A and B that the rank with the most needs.
Wide most_needed(const GemmShape& shape, std::span<const ProductLines> lines, Bytes element) {
  Wide most = 0;
  for (const ProductLines& one : lines) most = std::max(most, Wide{one.height() + one.width()} * shape.k * element);
  return most;
}

/// As few panels as memory allows: each is a call of gemm that reads and writes all of a rank's C, after which ranks
/// wait for each other. Where copies of all that is needed would take much beside the matrices, there are more, as long
/// as they do not cost much.
std::vector<std::vector<InnerRange>> panels_of(const GemmShape& shape, std::span<const ProductLines> lines,
                                               Bytes element, const ProductRanks& ranks) {
  constexpr Wide little = Wide{16} << 20;  // bytes of copies
  const auto number = static_cast<int>(ranks.speeds.size());
  const Wide held = (Wide{shape.m} * shape.k + Wide{shape.k} * shape.n + Wide{shape.m} * shape.n) * element / number;
  const Wide by_memory = most_needed(shape, lines, element) / std::max(little, held / 2) + 1;
  const Picoseconds time = computing(shape, lines, ranks.speeds);
  const std::int64_t most = std::clamp<std::int64_t>(shape.k / shortest, 1, 1 << 20);
  const std::int64_t cheap =
      std::clamp<std::int64_t>(time / std::max<Picoseconds>(latencies_of_panel * latency_of(ranks), 1), 1, most);
  int pieces = 1;  // from all over the dimension, so that all ranks of a square grid send parts of each panel
  while (pieces * pieces < number) ++pieces;
  return panels_of_inner(shape.k, static_cast<int>(std::min<Wide>(by_memory, cheap)), pieces, shortest);
}

}  // namespace

GemmShape ProductMatrices::shape(int ranks) const {
  const MatrixShape of_a = shape_of(a, a_transposed);
  const MatrixShape of_b = shape_of(b, b_transposed);
  const MatrixShape of_c = c.shape();
  if (of_a.columns != of_b.rows || of_a.rows != of_c.rows || of_b.columns != of_c.columns) {
    throw Error(fmt::format("a product of {} x {} by {} x {} as a matrix of {} x {}", of_a.rows, of_a.columns,
                            of_b.rows, of_b.columns, of_c.rows, of_c.columns),
                "give matrices of m x k, k x n and m x n");
  }
  for (const Distribution* one : {&a, &b, &c}) {
    if (one->ranks() != ranks) {
      throw Error(fmt::format("a product of matrices on {} ranks in a session of {}", one->ranks(), ranks),
                  "give distributions on the ranks of the session");
    }
  }
  return {.m = of_c.rows, .n = of_c.columns, .k = of_a.columns};
}

std::string ProductMatrices::fingerprint() const {
  StableHash hash;
  for (const Distribution* one : {&a, &b, &c}) add(hash, *one);
  return hash.text();
}

std::vector<FlopsPerSecond> speeds_within(std::span<const SpeedFunction> functions, const GemmShape& shape) {
  // The side of a usual rectangle, within the inner dimension; in integers, so that all ranks agree.
  const auto ranks = static_cast<std::int64_t>(functions.size());
  std::int64_t side = 1;
  while (side < shape.k && (side + 1) * (side + 1) <= shape.m * shape.n / ranks) ++side;
  std::vector<FlopsPerSecond> speeds;
  for (const SpeedFunction& function : functions) speeds.push_back(function.at(side));
  return speeds;
}

ProductDivision divide_product(const ProductMatrices& matrices, Bytes element, const ProductRanks& ranks) {
  const GemmShape shape = matrices.shape(matrices.c.ranks());
  ProductDivision division{.lines = by_speed(shape, ranks)};
  if (auto held = lines_of(matrices.c)) {
    const Wide where_held = time_of(matrices, shape, *held, element, ranks);
    const Wide where_fast = time_of(matrices, shape, division.lines, element, ranks) +
                            moving({computed_of_c(shape, division.lines), matrices.c}, element, ranks);
    if (100 * where_fast >= worth_moving_percent * where_held) {
      division = {.lines = std::move(*held), .where_held = true};
    }
  }
  division.panels = panels_of(shape, division.lines, element, ranks);
  return division;
}

std::vector<Picoseconds> computing_times(const ProductDivision& division, const GemmShape& shape,
                                         std::span<const FlopsPerSecond> speeds) {
  std::vector<Picoseconds> times;
  for (std::size_t rank = 0; rank < division.lines.size(); ++rank) {
    const ProductLines& lines = division.lines[rank];
    const bool computes = lines.height() > 0 && lines.width() > 0;
    times.push_back(computes ? std::max<Picoseconds>(computing(lines, shape, speeds[rank]), 1) : 0);
  }
  return times;
}

std::optional<ProductDivision> better_division(const ProductDivision& now, const ProductMatrices& matrices,
                                               Bytes element, const ProductRanks& ranks) {
  const GemmShape shape = matrices.shape(matrices.c.ranks());
  const Wide all = std::accumulate(ranks.speeds.begin(), ranks.speeds.end(), Wide{0});
  const Wide ideal = 2 * Wide{shape.m} * shape.n * shape.k * ps_per_s / std::max<Wide>(all, 1);
  const Wide at_most = Wide{worth_moving_percent} * computing(shape, now.lines, ranks.speeds) / 100;
  if (ideal > at_most) return {};
  ProductDivision anew = divide_product(matrices, element, ranks);
  if (computing(shape, anew.lines, ranks.speeds) > at_most) return {};
  return anew;
}

bool takes_long(const ProductDivision& division, const GemmShape& shape, const ProductRanks& ranks) {
  return computing(shape, division.lines, ranks.speeds) >= latencies_of_panel * latency_of(ranks);
}

}  // namespace tombolo
