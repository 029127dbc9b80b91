#include <algorithm>
#include <cstddef>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/product/copies_by_group.hpp>
#include <tombolo/framework/arrays/redistribution.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

#include "framework/arrays/carried_out.hpp"

using namespace tombolo;

namespace {

/// How often ranks of a group have each element.
std::vector<int> held_by_group(const Distribution& distribution, std::span<const int> groups, int group) {
  const auto [rows, columns] = distribution.shape();
  std::vector<int> times(index(rows * columns), 0);
  for (Rank rank = 0; rank < distribution.ranks(); ++rank) {
    if (groups[index(rank)] != group) continue;
    for (const Part& part : distribution.parts(rank)) {
      for (std::int64_t i = part.first_row; i < part.first_row + part.rows; ++i) {
        for (std::int64_t j = part.first_column; j < part.first_column + part.columns; ++j) {
          ++times[index(i * columns + j)];
        }
      }
    }
  }
  return times;
}

/// Elements that a move sends to other groups.
std::int64_t between_groups(const Redistribution& moves, std::span<const int> groups) {
  std::int64_t sum = 0;
  for (Rank rank = 0; rank < moves.ranks(); ++rank) {
    for (const Overlap& overlap : moves.received_overlaps(rank)) {
      if (groups[index(overlap.peer)] != groups[index(rank)]) sum += overlap.part.elements();
    }
  }
  return sum;
}

/// Every group has once what its ranks need, and gets from others only what it lacks.
void check_copies(const Distribution& from, const Distribution& to, std::span<const int> groups, bool stays) {
  const Distribution copies = copies_by_group(from, to, groups);
  std::int64_t lacking = 0;
  for (const int group : {0, 1, 2}) {
    const std::vector<int> needed = held_by_group(to, groups, group);
    const std::vector<int> own = held_by_group(from, groups, group);
    const std::vector<int> copied = held_by_group(copies, groups, group);
    bool once = true;
    for (std::size_t i = 0; i < needed.size(); ++i) {
      once = once && copied[i] == (needed[i] > 0 ? 1 : 0);
      if (needed[i] > 0 && own[i] == 0) ++lacking;
    }
    CHECK(once);
  }
  CHECK(between_groups({from, copies}, groups) == lacking);
  CHECK(between_groups({copies, to}, groups) == 0);
  if (!stays) return;
  for (Rank rank = 0; rank < from.ranks(); ++rank) {  // nothing moves within a group
    for (const Overlap& overlap : Redistribution(from, copies).received_overlaps(rank)) {
      CHECK((overlap.peer == rank || groups[index(overlap.peer)] != groups[index(rank)]));
    }
  }
}

}  // namespace

TEST_CASE("an element enters a group of ranks once") {
  std::mt19937_64 random(5);
  const MatrixShape shape{12, 9};
  const auto up_to = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1));
  };
  for (const int ranks : {1, 2, 3, 5, 8, 13}) {
    for (int draw = 0; draw < 20; ++draw) {
      std::vector<Part> parts;
      std::vector<Rank> owners;
      std::vector<int> groups;
      for (Rank rank = 0; rank < ranks; ++rank) {
        groups.push_back(static_cast<int>(random() % 3));
        for (std::int64_t part = up_to(3); part > 0; --part) {
          const std::int64_t row = up_to(shape.rows);
          const std::int64_t column = up_to(shape.columns);
          parts.push_back({row, up_to(shape.rows - row), column, up_to(shape.columns - column)});
          owners.push_back(rank);
        }
      }
      const Distribution to = Distribution::rectangles(shape, parts, owners, ranks);
      check_copies(Distribution::rows(equal_shares(shape.rows, ranks), shape.columns), to, groups, ranks > 1);
      check_copies(Distribution::columns(shape.rows, equal_shares(shape.columns, ranks)), to, groups, ranks > 1);
      check_copies(Distribution::at(ranks - 1, shape, ranks), to, groups, false);
    }
  }
}

TEST_CASE("who has all shares it out") {
  const std::vector<Part> all{{0, 2, 0, 2}, {0, 2, 0, 2}};
  const Distribution to = Distribution::rectangles({2, 2}, all, std::vector<Rank>{2, 3}, 4);
  const Distribution copies = copies_by_group(Distribution::at(0, {2, 2}, 4), to, std::vector<int>{0, 0, 1, 1});
  CHECK((copies.parts(2) == std::vector<Part>{{0, 1, 0, 2}} && copies.parts(3) == std::vector<Part>{{1, 1, 0, 2}}));
  CHECK(copies.elements(0) + copies.elements(1) == 0);
  const Distribution everybody =
      Distribution::rectangles({2, 2}, all, std::vector<Rank>{0, 1}, 4);  // the root needs all of it, too
  CHECK(copies_by_group(Distribution::at(0, {2, 2}, 4), everybody, std::vector<int>{0, 0, 1, 1}).elements(1) == 2);
}

TEST_CASE("copies for clusters come from those for groups of clusters") {
  const std::vector<Part> all(4, Part{0, 4, 0, 4});
  const Distribution to = Distribution::rectangles({4, 4}, all, std::vector<Rank>{0, 1, 2, 3}, 5);
  const std::vector<int> outer{0, 0, 1, 1, 2};
  const std::vector<int> inner{0, 1, 2, 2, 3};
  const Distribution first = copies_by_group(Distribution::at(4, {4, 4}, 5), to, outer);
  const Distribution second = copies_by_group(first, to, inner);
  CHECK(between_groups({first, second}, outer) == 0);
  CHECK(between_groups({second, to}, inner) == 0);
  CHECK((second.elements(0) == 16 && second.elements(1) == 16 && second.elements(2) == 8));
}

TEST_CASE("copies need a source with every element") {
  const std::vector<Part> half{{0, 1, 0, 2}};
  const Distribution some = Distribution::rectangles({2, 2}, half, std::vector<Rank>{0}, 2);
  const Distribution all = Distribution::at(1, {2, 2}, 2);
  CHECK_THROWS_AS(copies_by_group(some, all, std::vector<int>{0, 1}), Error);
  CHECK_THROWS_AS(copies_by_group(all, Distribution::at(0, {2, 3}, 2), std::vector<int>{0, 1}), Error);
  CHECK_THROWS_AS(copies_by_group(all, all, std::vector<int>{0}), Error);
}
