#include "matmul/columns.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/arrays/product/copies_by_group.hpp>
#include <tombolo/framework/arrays/product/product_parts.hpp>

namespace tombolo::matmul {

namespace {

constexpr int usual_panels = 4;         // so that three quarters of what travels can be hidden
constexpr int strips = 8;               // parts of a rank's computation, between which messages get on
constexpr std::int64_t shortest = 128;  // range of the inner dimension that is worth a call of gemm

/// Strips of rows of every rectangle with elements, `strips` for each, in the order of ranks.
struct Strips {
  std::vector<Part> rectangles;      // of C, of ranks that have elements
  std::vector<std::int64_t> shares;  // strips of each rank
  std::vector<std::int64_t> weights;

  explicit Strips(const std::vector<Part>& parts_of_c) {
    for (const Part& part : parts_of_c) {
      shares.push_back(part.elements() > 0 ? strips : 0);
      if (part.elements() == 0) continue;
      rectangles.push_back(part);
      for (std::int64_t strip = 0; strip < strips; ++strip)
        weights.push_back((row_of(part, strip + 1) - row_of(part, strip)) * part.columns);
    }
  }
  const Part& rectangle(std::int64_t item) const { return rectangles[static_cast<std::size_t>(item / strips)]; }
  /// The first row of a strip within its rectangle.
  static std::int64_t row_of(const Part& part, std::int64_t strip) {
    return part.rows / strips * strip + std::min(strip, part.rows % strips);
  }
};

}  // namespace

int panels_of_columns(const GemmShape& shape, int panels) {
  return static_cast<int>(panels_of_inner(shape.k, panels > 0 ? panels : usual_panels, 1, shortest).size());
}

template <class T>
Matrices<T> declare_columns(Program& program, const GemmShape& shape, const Rectangles& of_c, Held held, Rank root,
                            int panels) {
  const auto [m, n, k] = shape;
  const ProductParts parts = product_parts(shape, of_c.parts);
  const auto ranks = static_cast<int>(of_c.parts.size());
  const Strips all(parts.c);
  const auto items = static_cast<std::int64_t>(all.weights.size());
  const Domain over = program.domain("strips", items, {.weights = all.weights, .given = all.shares});
  std::size_t tasks = 0;
  const auto array = [&](const std::string& name, const Distribution& distribution) {
    const MatrixShape extents = distribution.shape();
    return program.array<T>(name, {extents.rows, extents.columns}, Distributed::as(distribution));
  };
  const auto first_held = [&](const MatrixShape& extents, const std::vector<Part>& of_ranks) {
    return held == Held::root ? Distribution::at(root, extents, ranks) : part_by_rank(extents, of_ranks);
  };
  const Distribution held_a = first_held({m, k}, parts.a);
  const Distribution held_b = first_held({k, n}, parts.b);
  const auto a = array("A", held_a);
  const auto b = array("B", held_b);
  const auto c = array(held == Held::root ? "parts of C" : "C", part_by_rank({m, n}, parts.c));
  Matrices<T> matrices{a, b, c, {}};
  // From a root every element is sent once to each cluster, even if there is only one.
  std::vector<std::vector<int>> clusters = of_c.clusters;
  if (clusters.empty() && held == Held::root) clusters.emplace_back(of_c.parts.size(), 0);
  const auto bring = [&](const std::string& name, Array<T, 2> source, Distribution from, const Distribution& to) {
    for (std::size_t level = 0; level < clusters.size(); ++level) {
      from = copies_by_group(from, to, clusters[level]);
      const auto copies = array(fmt::format("{} in {}", name, level == 0 ? "clusters" : "inner clusters"), from);
      program.move(source, copies);
      ++tasks;
      source = copies;
    }
    const auto needed = array(name, to);
    program.move(source, needed);
    ++tasks;
    return needed;
  };
  const int pieces = 2 * static_cast<int>(std::ceil(std::sqrt(static_cast<double>(all.rectangles.size()))));
  int number = 0;
  for (const auto& panel : panels_of_inner(k, panels > 0 ? panels : usual_panels, std::max(pieces, 1), shortest)) {
    ++number;
    const auto of_a = bring(fmt::format("A {}", number), a, held_a, needed_of_a(shape, parts, panel));
    const auto of_b = bring(fmt::format("B {}", number), b, held_b, needed_of_b(shape, parts, panel));
    std::int64_t depth = 0;
    for (const InnerRange& range : panel) depth += range.count;
    matrices.computing.push_back(tasks++);
    program.compute(
        fmt::format("compute {}", number), over, cost_of_product<T>(1, n, depth), reads(of_a), reads(of_b), updates(c),
        [all, panel, is_first = number == 1](const Range& range, auto rows_of_a, auto columns_of_b, auto rectangle) {
          if (range.count() == 0) return;
          const Part& mine = all.rectangle(range.first());
          const std::int64_t first = Strips::row_of(mine, range.first() % strips);
          const std::int64_t end = Strips::row_of(mine, (range.end() - 1) % strips + 1);
          const Range some = range.part_of(mine.columns, worth_a_part);
          multiply_panel(panel, {mine.rows, mine.columns}, {first, end - first, some.first(), some.count()}, is_first,
                         rows_of_a.data(), columns_of_b.data(), rectangle.data());
        });
  }
  if (held == Held::root) {
    matrices.c = array("C", Distribution::at(root, {m, n}, ranks));
    program.move(c, matrices.c);
  }
  return matrices;
}

template Matrices<float> declare_columns(Program&, const GemmShape&, const Rectangles&, Held, Rank, int);
template Matrices<double> declare_columns(Program&, const GemmShape&, const Rectangles&, Held, Rank, int);

}  // namespace tombolo::matmul
