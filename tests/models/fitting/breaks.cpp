#include <cmath>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/models/fitting/breaks.hpp>

using namespace tombolo;

namespace {

// Least-squares lines of the segments.
std::vector<Line> lines_of(const Segments& partition, std::span<const double> x, std::span<const double> y) {
  std::vector<Line> lines;
  std::size_t begin = 0;
  for (std::size_t segment = 0; segment < partition.segments(); ++segment) {
    const std::size_t end = segment < partition.breaks.size() ? partition.breaks[segment] : x.size();
    lines.push_back(least_squares(x.subspan(begin, end - begin), y.subspan(begin, end - begin)));
    begin = end;
  }
  return lines;
}

double residual_of(std::span<const double> x, std::span<const double> y) {
  const Line line = least_squares(x, y);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (y[i] - line.at(x[i])) * (y[i] - line.at(x[i]));
  return sum;
}

// All ways to cut points from `begin` on into so many segments.
double least(std::span<const double> x, std::span<const double> y, std::size_t segments, std::size_t shortest) {
  if (segments == 1) return residual_of(x, y);
  double best = INFINITY;
  for (std::size_t cut = shortest; cut + (segments - 1) * shortest <= x.size(); ++cut) {
    best = std::min(
        best, residual_of(x.first(cut), y.first(cut)) + least(x.subspan(cut), y.subspan(cut), segments - 1, shortest));
  }
  return best;
}

struct Points {
  std::vector<double> x;
  std::vector<double> y;
};

// Three lines: breaks at 20 and 35 of 60 points, the noise in parts of what is there.
Points three_lines(double noise, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  Points points;
  for (int i = 0; i < 60; ++i) {
    const double exact = i < 20 ? 100 + 2 * i : i < 35 ? 250 + 2 * i : 400 + 9 * (i - 35);
    points.x.push_back(i * 1000);
    points.y.push_back(exact * (1 + noise * unit(random)));
  }
  return points;
}

}  // namespace

TEST_CASE("partitions for every number of segments are as good as the best of all there are") {
  std::mt19937 random(1);
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  for (int round = 0; round < 20; ++round) {
    std::vector<double> x;
    std::vector<double> y;
    for (int i = 0; i < 13; ++i) {
      x.push_back((x.empty() ? 0 : x.back()) + 1 + below(5));
      y.push_back(below(100));
    }
    for (const std::size_t shortest : {std::size_t{2}, std::size_t{3}}) {
      const std::vector<Segments> partitions = optimal_partitions(x, y, 4, shortest);
      REQUIRE(partitions.size() == 4);
      for (const Segments& partition : partitions) {
        CHECK(partition.residual == Approx(least(x, y, partition.segments(), shortest)).margin(1e-9));
        double sum = 0;
        std::size_t begin = 0;
        for (std::size_t segment = 0; segment < partition.segments(); ++segment) {
          const std::size_t end = segment < partition.breaks.size() ? partition.breaks[segment] : x.size();
          REQUIRE(end >= begin + shortest);
          sum += residual_of(std::span(x).subspan(begin, end - begin), std::span(y).subspan(begin, end - begin));
          begin = end;
        }
        CHECK(sum == Approx(partition.residual).margin(1e-9));
      }
    }
  }
}

TEST_CASE("breaks are found where they are, with noise close to it") {
  const Points exact = three_lines(0, 0);
  CHECK(find_breaks(exact.x, exact.y, 6, 4).breaks == std::vector<std::size_t>{20, 35});
  const std::vector<Line> lines = lines_of(find_breaks(exact.x, exact.y, 6, 4), exact.x, exact.y);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].slope == Approx(0.002));
  CHECK(lines[2].slope == Approx(0.009));
  int exactly = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    INFO("seed " << seed);
    const Points noisy = three_lines(0.05, seed);
    const std::vector<std::size_t> breaks = find_breaks(noisy.x, noisy.y, 6, 4).breaks;
    const auto near = [&](int wanted) {
      return std::any_of(breaks.begin(), breaks.end(),
                         [&](std::size_t found) { return std::abs(static_cast<int>(found) - wanted) <= 2; });
    };
    CHECK(near(20));
    CHECK(near(35));
    exactly += breaks.size() == 2 ? 1 : 0;
  }
  CHECK(exactly > 25);  // noise that grows with what is there takes a break more, at times
}

TEST_CASE("a line with noise, or rounded, seldom looks broken") {
  int broken = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, 5);
    std::vector<double> x;
    std::vector<double> y;
    std::vector<double> rounded;
    for (int i = 0; i < 40; ++i) {
      x.push_back(i);
      y.push_back(1000 + 7 * i + noise(random));
      rounded.push_back(std::floor(1000 + 7.3 * i));
    }
    broken += find_breaks(x, y, 5, 4).breaks.empty() ? 0 : 1;
    CHECK(find_breaks(x, rounded, 5, 4).breaks.empty());
  }
  CHECK(broken < 30);
}

TEST_CASE("where there are few points there are few segments") {
  const std::vector<double> x = {1, 2, 3, 4, 5};
  const std::vector<double> y = {1, 2, 3, 10, 20};
  CHECK(optimal_partitions(x, y, 5, 3).size() == 1);
  CHECK(optimal_partitions(x, y, 5, 2).size() == 2);
  CHECK(optimal_partitions({}, {}, 5, 2).empty());
  CHECK(find_breaks({}, {}, 5, 2).breaks.empty());
}

TEST_CASE("a thousand points with large offsets keep their precision") {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 1000; ++i) {
    x.push_back(1e9 + i);
    y.push_back(1e12 + 3.0 * i + (i >= 400 ? 1e10 : 0));
  }
  CHECK(find_breaks(x, y, 3, 5).breaks == std::vector<std::size_t>{400});
}
