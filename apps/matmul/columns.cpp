#include "matmul/columns.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/arrays/product/copies_by_group.hpp>
#include <tombolo/framework/arrays/product/product_lines.hpp>

namespace tombolo::matmul {

namespace {

constexpr int usual_panels = 4;         // so that three quarters of what travels can be hidden
constexpr int strips = 8;               // parts of a rank's computation, between which messages get on
constexpr std::int64_t shortest = 128;  // range of the inner dimension that is worth a call of gemm

/// The first line of one of so many strips.
std::int64_t line_of(std::int64_t lines, std::int64_t strip, std::int64_t of) {
  return lines / of * strip + std::min(strip, lines % of);
}

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
        weights.push_back((line_of(part.rows, strip + 1, strips) - line_of(part.rows, strip, strips)) * part.columns);
    }
  }
  const Part& rectangle(std::int64_t item) const { return rectangles[static_cast<std::size_t>(item / strips)]; }
  /// The rows and columns of a range of items that are computed, within their rectangle.
  Part tile(const Range& range) const {
    const Part& mine = rectangle(range.first());
    const std::int64_t first = line_of(mine.rows, range.first() % strips, strips);
    const std::int64_t end = line_of(mine.rows, (range.end() - 1) % strips + 1, strips);
    const Range some = range.part_of(mine.columns, worth_a_part);
    return {first, end - first, some.first(), some.count()};
  }
};

/// Returns the parts of C of each stage, by rank: a stage has some columns of every rectangle, if these have enough.
/// Rectangles above each other have the same, so B is sent once for all stages.
std::vector<std::vector<Part>> in_stages(const std::vector<Part>& parts_of_c, int stages) {
  std::int64_t all = std::max(stages, 1);
  for (const Part& part : parts_of_c) {
    if (part.elements() > 0) all = std::min(all, part.columns);
  }
  std::vector<std::vector<Part>> parts(static_cast<std::size_t>(all));
  for (std::int64_t stage = 0; stage < all; ++stage) {
    for (const Part& part : parts_of_c) {
      const std::int64_t first = line_of(part.columns, stage, all);
      const std::int64_t end = line_of(part.columns, stage + 1, all);
      parts[static_cast<std::size_t>(stage)].push_back(
          {part.first_row, part.rows, part.first_column + first, end - first});
    }
  }
  return parts;
}

}  // namespace

int panels_of_columns(const GemmShape& shape, int panels) {
  return static_cast<int>(panels_of_inner(shape.k, panels > 0 ? panels : usual_panels, 1, shortest).size());
}

template <class T>
Matrices<T> declare_columns(Program& program, const GemmShape& shape, const Rectangles& of_c, Held held, Rank root,
                            int panels, int stages) {
  const auto [m, n, k] = shape;
  const ProductParts parts = product_parts(shape, of_c.parts);
  const auto ranks = static_cast<int>(of_c.parts.size());
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

  struct Stage {
    std::vector<ProductLines> lines;
    Strips strips;
    Domain over;
    Array<T, 2> c;
  };
  std::vector<Stage> all;
  const std::vector<std::vector<Part>> of_stages = in_stages(parts.c, held == Held::root ? stages : 1);
  for (const std::vector<Part>& its_parts : of_stages) {
    const std::string number = of_stages.size() > 1 ? fmt::format(" {}", all.size() + 1) : "";
    const Strips its_strips(its_parts);
    const Domain over = program.domain("strips" + number, std::ssize(its_strips.weights),
                                       {.weights = its_strips.weights, .given = its_strips.shares});
    const auto c =
        array(held == Held::root ? fmt::format("parts{} of C", number) : "C", part_by_rank({m, n}, its_parts));
    all.push_back({lines_of(its_parts), its_strips, over, c});
  }
  Matrices<T> matrices{a, b, all.front().c, {}};
  if (held == Held::root) matrices.c = array("C", Distribution::at(root, {m, n}, ranks));

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
  int computations = 0;
  // C of a stage += the panel of A by the panel of B, or by its rows of all of B.
  const auto compute = [&](const Stage& stage, const std::vector<InnerRange>& panel, const Array<T, 2>& of_a,
                           const Array<T, 2>& of_b, bool all_of_b, bool is_first) {
    matrices.computing.push_back(tasks++);
    program.compute(fmt::format("compute {}", ++computations), stage.over, cost_of_product<T>(1, n, total_count(panel)),
                    reads(of_a), reads(of_b), updates(stage.c),
                    [its_strips = stage.strips, panel, all_of_b, is_first](const Range& range, auto rows_of_a,
                                                                           auto columns_of_b, auto rectangle) {
                      if (range.count() == 0) return;
                      const Part& mine = its_strips.rectangle(range.first());
                      multiply_panel(panel, {mine.rows, mine.columns}, its_strips.tile(range), is_first,
                                     rows_of_a.data(), columns_of_b.data(), rectangle.data(), all_of_b);
                    });
  };
  const auto collect = [&](const Stage& stage) {
    if (held != Held::root) return;
    program.move(stage.c, matrices.c, {.updates = all.size() > 1});
    ++tasks;
  };
  const int pieces = 2 * static_cast<int>(std::ceil(std::sqrt(static_cast<double>(all[0].strips.rectangles.size()))));
  const auto inner = panels_of_inner(k, panels > 0 ? panels : usual_panels, std::max(pieces, 1), shortest);
  std::vector<Array<T, 2>> panels_of_a;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    panels_of_a.push_back(
        bring(fmt::format("A {}", i + 1), a, held_a, needed_of_a(shape, lines_of(parts.c), inner[i])));
    const auto of_b = bring(fmt::format("B {}", i + 1), b, held_b, needed_of_b(shape, all[0].lines, inner[i]));
    compute(all[0], inner[i], panels_of_a[i], of_b, false, i == 0);
  }
  std::vector<InnerRange> ranges;
  for (const std::vector<InnerRange>& panel : inner) ranges.insert(ranges.end(), panel.begin(), panel.end());
  std::ranges::sort(ranges, {}, &InnerRange::first);
  // Each stage's C returns while the next but one's B travels.
  for (std::size_t stage = 1; stage < all.size(); ++stage) {
    const auto of_b =
        bring(fmt::format("B {}", inner.size() + stage), b, held_b, needed_of_b(shape, all[stage].lines, ranges));
    for (std::size_t i = 0; i < inner.size(); ++i) {
      compute(all[stage], inner[i], panels_of_a[i], of_b, true, i == 0);
    }
    collect(all[stage - 1]);
  }
  collect(all.back());
  return matrices;
}

template Matrices<float> declare_columns(Program&, const GemmShape&, const Rectangles&, Held, Rank, int, int);
template Matrices<double> declare_columns(Program&, const GemmShape&, const Rectangles&, Held, Rank, int, int);

}  // namespace tombolo::matmul
