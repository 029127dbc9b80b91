#include <random>

#include <catch2/catch.hpp>

#include <tombolo/models/fitting/piecewise_linear.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;

TEST_CASE("between nodes a function is straight, beyond the last one it goes on, before the first it is level") {
  const PiecewiseLinear f({{10, 100}, {20, 200}, {30, 250}});
  CHECK(f.at(0) == 100);
  CHECK(f.at(10) == 100);
  CHECK(f.at(15) == 150);
  CHECK(f.at(20) == 200);
  CHECK(f.at(21) == 205);
  CHECK(f.at(50) == 350);
  CHECK(PiecewiseLinear({{5, 7}}).at(1000) == 7);
  CHECK(PiecewiseLinear({{0, 10}, {3, 11}}).at(1) == 11);  // up
  CHECK(PiecewiseLinear({{0, 10}, {3, 9}}).at(1) == 10);   // up, too
  CHECK(PiecewiseLinear({{0, 10}, {3, 9}}).at(1000) == 9);
  CHECK(PiecewiseLinear({{0, 0}, {1, never / 2}}).at(Bytes{1} << 40) == never);
}

TEST_CASE("at nodes it is their times, and between two of them it is between their times") {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    std::vector<PiecewiseLinear::Node> nodes;
    Bytes bytes = 0;
    for (int node = 0; node < 8; ++node) {
      nodes.push_back({bytes, static_cast<Picoseconds>(random() % 1'000'000'000'000)});
      bytes += 1 + static_cast<Bytes>(random() % 100'000'000);
    }
    const PiecewiseLinear f(nodes);
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
      CHECK(f.at(nodes[i].bytes) == nodes[i].time);
      const Picoseconds middle = f.at((nodes[i].bytes + nodes[i + 1].bytes) / 2);
      CHECK(middle >= std::min(nodes[i].time, nodes[i + 1].time));
      CHECK(middle <= std::max(nodes[i].time, nodes[i + 1].time));
    }
  }
}

TEST_CASE("nodes that are none, out of order or before the start of time are refused") {
  using Nodes = std::vector<PiecewiseLinear::Node>;
  CHECK_THROWS_AS(PiecewiseLinear({}), Error);
  CHECK_THROWS_AS(PiecewiseLinear(Nodes{{1, 1}, {1, 2}}), Error);
  CHECK_THROWS_AS(PiecewiseLinear(Nodes{{2, 1}, {1, 2}}), Error);
  CHECK_THROWS_AS(PiecewiseLinear(Nodes{{-1, 1}}), Error);
  CHECK_THROWS_AS(PiecewiseLinear(Nodes{{1, -1}}), Error);
}
