#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

#include <catch2/catch.hpp>

#include <tombolo/framework/partition/rectangles.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;

namespace {

using Speeds = std::vector<FlopsPerSecond>;

Speeds random_speeds(std::mt19937_64& random, int ranks, std::int64_t lowest, std::int64_t highest) {
  std::uniform_int_distribution<std::int64_t> speed(lowest, highest);
  Speeds speeds(static_cast<std::size_t>(ranks));
  for (auto& s : speeds) s = speed(random);
  return speeds;
}

/// Fails unless the parts cover the matrix exactly, without overlap, and slow ranks of speed 0 have none.
void check_cover(const MatrixShape& shape, const Speeds& speeds, const std::vector<Part>& parts) {
  REQUIRE(parts.size() == speeds.size());
  std::int64_t area = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    area += part.elements();
    if (speeds[i] == 0) REQUIRE(part == Part{});
    if (part.elements() == 0) continue;
    REQUIRE((part.first_row >= 0 && part.first_row + part.rows <= shape.rows));
    REQUIRE((part.first_column >= 0 && part.first_column + part.columns <= shape.columns));
  }
  REQUIRE(area == shape.rows * shape.columns);
  // Sorted by their left border, parts that could overlap are near each other.
  std::vector<Part> sorted;
  std::copy_if(parts.begin(), parts.end(), std::back_inserter(sorted), [](const Part& p) { return p.elements() > 0; });
  std::sort(sorted.begin(), sorted.end(), [](const Part& a, const Part& b) { return a.first_column < b.first_column; });
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const std::int64_t end = sorted[i].first_column + sorted[i].columns;
    for (std::size_t j = i + 1; j < sorted.size() && sorted[j].first_column < end; ++j) {
      if (overlap(sorted[i], sorted[j]).elements() != 0) FAIL("parts " << i << " and " << j << " overlap");
    }
  }
}

/// 2 sqrt(area) for each rank: no rectangle of this area has fewer rows and columns.
double bound(const MatrixShape& shape, const Speeds& speeds) {
  double total = 0;
  for (const auto speed : speeds) total += static_cast<double>(speed);
  double sum = 0;
  for (const auto speed : speeds) {
    sum += 2 * std::sqrt(static_cast<double>(speed) / total * static_cast<double>(shape.rows) *
                         static_cast<double>(shape.columns));
  }
  return sum;
}

/// The least sum of rows and columns over all ways to put ranks into columns, with areas in exact proportion.
double least_of_all(const MatrixShape& shape, const Speeds& speeds) {
  double total = 0;
  for (const auto speed : speeds) total += static_cast<double>(speed);
  std::vector<double> width;
  std::vector<int> count;
  double best = std::numeric_limits<double>::infinity();
  const auto place = [&](const auto& self, std::size_t rank) -> void {
    if (rank == speeds.size()) {
      double sum = 0;
      for (std::size_t j = 0; j < width.size(); ++j) {
        sum += static_cast<double>(shape.rows) + static_cast<double>(shape.columns) * width[j] * count[j];
      }
      best = std::min(best, sum);
      return;
    }
    const double share = static_cast<double>(speeds[rank]) / total;
    for (std::size_t j = 0; j < width.size(); ++j) {
      width[j] += share, ++count[j];
      self(self, rank + 1);
      width[j] -= share, --count[j];
    }
    width.push_back(share), count.push_back(1);
    self(self, rank + 1);
    width.pop_back(), count.pop_back();
  };
  place(place, 0);
  return best;
}

Level level(Level::Kind kind, std::string name, std::vector<Rank> ranks, std::vector<Level> children = {}) {
  Level result;
  result.kind = kind;
  result.name = std::move(name);
  result.ranks = std::move(ranks);
  result.children = std::move(children);
  return result;
}

Level cluster(std::string name, std::vector<Rank> ranks) {
  return level(Level::Kind::cluster, std::move(name), std::move(ranks));
}

/// `clusters` clusters of random sizes in a group; ranks are dealt out in turn, so that those of a cluster lie apart.
Level grid(std::mt19937_64& random, int clusters, int ranks) {
  Level top = level(Level::Kind::group, "grid", {});
  std::vector<std::vector<Rank>> members(static_cast<std::size_t>(clusters));
  for (Rank rank = 0; rank < ranks; ++rank) {
    top.ranks.push_back(rank);
    members[rank < clusters ? static_cast<std::size_t>(rank) : random() % members.size()].push_back(rank);
  }
  for (auto& each : members) top.children.push_back(cluster("c", std::move(each)));
  return top;
}

/// The smallest rectangle that contains the parts of some ranks.
Part around(const std::vector<Part>& parts, const std::vector<Rank>& ranks) {
  Part box;
  for (const Rank rank : ranks) {
    const Part& part = parts[static_cast<std::size_t>(rank)];
    if (part.elements() == 0) continue;
    if (box.elements() == 0) {
      box = part;
      continue;
    }
    const std::int64_t bottom = std::max(box.first_row + box.rows, part.first_row + part.rows);
    const std::int64_t right = std::max(box.first_column + box.columns, part.first_column + part.columns);
    box.first_row = std::min(box.first_row, part.first_row);
    box.first_column = std::min(box.first_column, part.first_column);
    box.rows = bottom - box.first_row;
    box.columns = right - box.first_column;
  }
  return box;
}

// Returns the largest ratio of a rank's area to its share by speed: 1 is a perfect balance, 0 an empty matrix.
double imbalance(std::span<const Part> parts, const Speeds& speeds) {
  double area = 0;
  double speed = 0;
  double longest = 0;
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    area += static_cast<double>(parts[rank].elements());
    speed += static_cast<double>(speeds[rank]);
    if (parts[rank].elements() == 0) continue;
    longest = std::max(longest, static_cast<double>(parts[rank].elements()) / static_cast<double>(speeds[rank]));
  }
  return area > 0 ? longest * speed / area : 0;
}

}  // namespace

TEST_CASE("column partitions follow the worked examples") {
  const auto parts = column_partition({6, 6}, Speeds{1, 1, 1, 3});
  CHECK(parts == std::vector<Part>{{0, 2, 0, 3}, {2, 2, 0, 3}, {4, 2, 0, 3}, {0, 6, 3, 3}});
  CHECK(half_perimeters(parts) == 24);
  CHECK(imbalance(parts, Speeds{1, 1, 1, 3}) == 1);
  CHECK(column_partition({4, 8}, Speeds{5}) == std::vector<Part>{{0, 4, 0, 8}});
  CHECK(column_partition({4, 4}, Speeds{1, 1, 1, 1}) ==
        std::vector<Part>{{0, 2, 0, 2}, {2, 2, 0, 2}, {0, 2, 2, 2}, {2, 2, 2, 2}});
  CHECK(column_partition({100, 1}, Speeds{1, 3}) == std::vector<Part>{{0, 25, 0, 1}, {25, 75, 0, 1}});
  CHECK(column_partition({1, 100}, Speeds{1, 3}) == std::vector<Part>{{0, 1, 0, 25}, {0, 1, 25, 75}});
  CHECK(column_partition({0, 7}, Speeds{1, 3}) == std::vector<Part>(2));
  CHECK(column_partition({7, 0}, Speeds{1, 3}) == std::vector<Part>(2));
}

TEST_CASE("rectangles cover the matrix exactly, whatever the shape and the ranks") {
  std::mt19937_64 random(1);
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  for (const int ranks : {1, 2, 3, 5, 7, 16, 31, 97, 500, 2003}) {
    for (const MatrixShape& shape : {MatrixShape{1, 1}, MatrixShape{3, 2}, MatrixShape{1, 500}, MatrixShape{700, 1},
                                     MatrixShape{97, 101}, MatrixShape{5000, 40}, MatrixShape{1 << 30, 1 << 29}}) {
      for (const std::int64_t highest : {std::int64_t{1}, std::int64_t{3}, std::int64_t{40'000'000'000}, huge}) {
        Speeds speeds = random_speeds(random, ranks, 0, highest);
        speeds[random() % speeds.size()] = highest;
        check_cover(shape, speeds, column_partition(shape, speeds));
        const Level top = grid(random, std::min(ranks, 5), ranks);
        check_cover(shape, speeds, nested_partition(shape, speeds, top));
      }
    }
  }
}

TEST_CASE("areas are within 3 % of the share by speed where there are 30 rows and columns each") {
  std::mt19937_64 random(2);
  for (const int ranks : {1, 2, 3, 5, 16, 61, 200, 1000}) {
    const auto side = static_cast<std::int64_t>(60 * std::ceil(std::sqrt(ranks)));
    for (const MatrixShape& shape :
         {MatrixShape{side, side}, MatrixShape{side / 4, 4 * side}, MatrixShape{2 * side, side}}) {
      const Speeds speeds = random_speeds(random, ranks, 1'000'000, 4'000'000);
      INFO(ranks << " ranks, " << shape.rows << " x " << shape.columns);
      CHECK(imbalance(column_partition(shape, speeds), speeds) <= 1.03);
      CHECK(imbalance(nested_partition(shape, speeds, grid(random, std::min(ranks, 4), ranks)), speeds) <= 1.06);
    }
  }
}

TEST_CASE("no other choice of columns has fewer rows and columns") {
  std::mt19937_64 random(3);
  for (int draw = 0; draw < 60; ++draw) {
    const Speeds speeds = random_speeds(random, 1 + draw % 8, 1, draw % 2 == 0 ? 5 : 100);
    for (const MatrixShape& shape :
         {MatrixShape{1 << 20, 1 << 20}, MatrixShape{1 << 22, 1 << 18}, MatrixShape{1 << 18, 1 << 21}}) {
      const auto sum = static_cast<double>(half_perimeters(column_partition(shape, speeds)));
      const double least = least_of_all(shape, speeds);
      CHECK(std::abs(sum - least) <= 1e-4 * least);  // whole rows and columns
    }
  }
}

TEST_CASE("sums of rows and columns are near the bound for ranks of random speeds") {
  std::mt19937_64 random(4);
  for (const int ranks : {16, 23, 64}) {
    double sum = 0;
    double worst = 0;
    constexpr int draws = 1000;
    for (int draw = 0; draw < draws; ++draw) {
      const MatrixShape shape{10000, 10000};
      const Speeds speeds = random_speeds(random, ranks, 1, 1'000'000'000);
      const double ratio = static_cast<double>(half_perimeters(column_partition(shape, speeds))) / bound(shape, speeds);
      sum += ratio;
      worst = std::max(worst, ratio);
    }
    INFO(ranks << " ranks");
    CHECK(sum / draws <= 1.03);
    CHECK(worst <= 1.08);
  }
}

TEST_CASE("a cluster's ranks have a rectangle together, whose sides are near the bound") {
  std::mt19937_64 random(5);
  for (int draw = 0; draw < 50; ++draw) {
    const int ranks = 20 + draw;
    const MatrixShape shape{8000, 8000};
    const Speeds speeds = random_speeds(random, ranks, 1'000'000, 4'000'000);
    const Level top = grid(random, 2 + draw % 5, ranks);
    const auto parts = nested_partition(shape, speeds, top);
    Speeds of_clusters;
    std::vector<Part> boxes;
    for (const Level& child : top.children) {
      boxes.push_back(around(parts, child.ranks));
      std::int64_t area = 0;
      FlopsPerSecond speed = 0;
      for (const Rank rank : child.ranks) {
        area += parts[static_cast<std::size_t>(rank)].elements();
        speed += speeds[static_cast<std::size_t>(rank)];
      }
      of_clusters.push_back(speed);
      CHECK(boxes.back().elements() == area);
    }
    CHECK(static_cast<double>(half_perimeters(boxes)) <= 1.3 * bound(shape, of_clusters));
    // What crosses the links is less than if clusters' ranks were spread over the whole matrix.
    std::vector<Part> flat;
    for (const Level& child : top.children) flat.push_back(around(column_partition(shape, speeds), child.ranks));
    CHECK(half_perimeters(boxes) <= half_perimeters(flat));
  }
}

TEST_CASE("a nested partition of one cluster is the flat one; groups may be nested") {
  const Speeds speeds{4, 1, 3, 2, 2};
  const MatrixShape shape{120, 90};
  CHECK(nested_partition(shape, speeds, cluster("c", {0, 1, 2, 3, 4})) == column_partition(shape, speeds));
  const Level near = level(Level::Kind::group, "near", {0, 1, 2}, {cluster("a", {0, 2}), cluster("b", {1})});
  const Level top = level(Level::Kind::group, "all", {0, 1, 2, 3}, {near, cluster("c", {3})});
  const auto parts = nested_partition(shape, speeds, top);
  CHECK(parts[4] == Part{});
  CHECK(parts[0].elements() == Approx(120 * 90 * 4 / 10).epsilon(0.03));  // whole rows and columns
  CHECK(around(parts, {0, 1, 2}).elements() == 120 * 90 * 8 / 10);
  CHECK(around(parts, {0, 2}).elements() == 120 * 90 * 7 / 10);
}

TEST_CASE("partitions refuse what has no sense") {
  CHECK_THROWS_WITH(column_partition({-1, 3}, Speeds{1}), Catch::Contains("-1 x 3"));
  CHECK_THROWS_WITH(column_partition({1, 3}, Speeds{1, -2}), Catch::Contains("rank 1 has speed -2"));
  CHECK_THROWS_WITH(column_partition({1, 3}, Speeds{0, 0}), Catch::Contains("none of 2 ranks"));
  CHECK_THROWS_AS(column_partition({1, 3}, Speeds{}), Error);
  CHECK_THROWS_AS(nested_partition({1, 3}, Speeds{1}, cluster("c", {0, 1})), std::out_of_range);
  CHECK_THROWS_WITH(nested_partition({1, 3}, Speeds{1, 0}, cluster("far", {1})), Catch::Contains("far"));
}
