#include <algorithm>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/platform/description/host_levels.hpp>

using namespace tombolo;

namespace {

using Places = std::vector<Place>;

Level host(const std::vector<Rank>& ranks, const Places& places) {
  return host_level("node1", ranks, places);
}

// "package 0(rank 0 rank 1) rank 2"
std::string text(const Level& level) {
  std::string found;
  for (const Level& child : level.children) {
    if (!found.empty()) found += ' ';
    found += child.name;
    if (!child.children.empty()) found += '(' + text(child) + ')';
  }
  return found;
}

void check(const Level& level) {
  CHECK(level.children.size() != 1);
  CHECK((level.kind == Level::Kind::rank) == (level.ranks.size() == 1 && level.children.empty()));
  std::vector<Rank> below;
  for (const Level& child : level.children) {
    CHECK(child.kind > level.kind);
    CHECK(child.ranks != level.ranks);
    below.insert(below.end(), child.ranks.begin(), child.ranks.end());
    check(child);
  }
  std::sort(below.begin(), below.end());
  if (!level.children.empty()) CHECK(below == level.ranks);
}

}  // namespace

TEST_CASE("a host of one rank has nothing inside") {
  const Level level = host({7}, {{.package = 0, .numa = 0, .cache = 0, .core = 3}});
  CHECK(level.kind == Level::Kind::host);
  CHECK(level.name == "node1");
  CHECK(level.ranks == std::vector<Rank>{7});
  CHECK(level.children.empty());
}

TEST_CASE("levels that separate nothing are left out") {
  CHECK(text(host({0, 1}, {{0, 0, 0, 0}, {0, 0, 0, 1}})) == "rank 0 rank 1");
  CHECK(text(host({0, 1}, {{0, 0, 0, 0}, {1, 1, 1, 1}})) == "rank 0 rank 1");
  CHECK(text(host({0, 1, 2, 3}, {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 2}, {1, 1, 1, 3}})) ==
        "package 0(rank 0 rank 1) package 1(rank 2 rank 3)");
  CHECK(text(host({0, 1, 2}, {{0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 2}})) == "cache 0(rank 0 rank 1) rank 2");
}

TEST_CASE("packages hold memory nodes, caches and cores") {
  const Places places = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 2},
                         {0, 1, 2, 3}, {0, 1, 2, 4}, {1, 2, 3, 5}, {1, 2, 3, 6}};
  CHECK(text(host({0, 1, 2, 3, 4, 5, 6, 7}, places)) ==
        "package 0(memory node 0(cache 0(core 0(rank 0 rank 1) rank 2) rank 3) memory node 1(rank 4 rank 5)) "
        "package 1(rank 6 rank 7)");
}

TEST_CASE("ranks dealt out in turn come in the order of first ranks") {
  CHECK(text(host({3, 5, 8, 9}, {{1, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 2}, {0, 1, 1, 3}})) ==
        "package 1(rank 3 rank 8) package 0(rank 5 rank 9)");
}

TEST_CASE("a rank that may use several stands directly below what is around") {
  CHECK(text(host({0, 1, 2}, {{}, {0, 0, 0, 0}, {0, 0, 0, 1}})) == "rank 0 package 0(rank 1 rank 2)");
  CHECK(text(host({0, 1}, {{}, {}})) == "rank 0 rank 1");
}

TEST_CASE("whatever the places say, the tree has every rank once and no level too many") {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    std::vector<Rank> ranks;
    Places places;
    const auto number = [&random] { return static_cast<int>(random() % 4) - 1; };
    const std::size_t size = 1 + random() % 12;
    for (std::size_t i = 0; i < size; ++i) {
      ranks.push_back(static_cast<Rank>(3 * i));
      places.push_back({number(), number(), number(), number()});
    }
    const Level level = host(ranks, places);
    CHECK(level.ranks == ranks);
    if (size > 1) check(level);
  }
}
