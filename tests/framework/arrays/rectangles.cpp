#include <algorithm>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/rank_move.hpp>
#include <tombolo/framework/partition/rectangles.hpp>
#include <tombolo/units.hpp>

#include "framework/arrays/carried_out.hpp"
#include "framework/arrays/distributions.hpp"

using namespace tombolo;

namespace {

/// All ranks in one process: every rank ends with what it is to have.
bool arrives(const Redistribution& moves) {
  const int ranks = moves.ranks();
  const std::int64_t width = moves.from().shape().columns;
  constexpr Bytes element = sizeof(double);
  PerRank<double> from, to, packed, arrived, sent(index(ranks));
  std::vector<MoveMemory> memories;
  std::vector<RankMove> all;
  for (Rank rank = 0; rank < ranks; ++rank) {
    const RankMove& mine = all.emplace_back(moves, rank);
    from.push_back(held_by<double>(moves.from(), rank, width));
    to.emplace_back(index(moves.to().elements(rank)), -2.0);
    packed.emplace_back(index(mine.packed_room()), -4.0);
    arrived.emplace_back(index(mine.arrived_room()), -5.0);
  }
  for (Rank rank = 0; rank < ranks; ++rank) {
    const std::size_t i = index(rank);
    memories.push_back({bytes(from[i]), bytes(to[i]), bytes(packed[i]), bytes(arrived[i])});
    if (all[i].packs()) all[i].pack(element, memories[i]);
    const auto* const first = reinterpret_cast<const double*>(all[i].sent(element, memories[i]));
    sent[i].assign(first, first + moves.sends(rank));
  }
  const PerRank<double> received = carried_out(moves, sent);
  for (Rank rank = 0; rank < ranks; ++rank) {
    const std::size_t i = index(rank);
    std::copy(received[i].begin(), received[i].end(), reinterpret_cast<double*>(all[i].received(memories[i])));
    all[i].unpack(element, memories[i]);
    if (to[i] != held_by<double>(moves.to(), rank, width)) return false;
  }
  return true;
}

std::vector<Rank> any_owners(std::mt19937_64& random, std::size_t parts, int ranks) {
  std::vector<Rank> owners(parts);
  for (Rank& owner : owners) owner = static_cast<Rank>(random() % static_cast<unsigned>(ranks));
  return owners;
}

Distribution column_parts(std::mt19937_64& random, const MatrixShape& shape, int ranks) {
  std::vector<FlopsPerSecond> speeds(static_cast<std::size_t>(ranks));
  for (auto& speed : speeds) speed = static_cast<FlopsPerSecond>(random() % 5);
  speeds[random() % speeds.size()] = 5;
  const auto parts = column_partition(shape, speeds);
  return Distribution::rectangles(shape, parts, any_owners(random, parts.size(), ranks), ranks);
}

/// Parts at any place, which overlap and leave elements out.
Distribution copies(std::mt19937_64& random, const MatrixShape& shape, int ranks) {
  std::vector<Part> parts;
  const auto up_to = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1));
  };
  for (int i = 0; i < 2 * ranks; ++i) {
    const std::int64_t row = up_to(shape.rows);
    const std::int64_t column = up_to(shape.columns);
    parts.push_back({row, up_to(shape.rows - row), column, up_to(shape.columns - column)});
  }
  return Distribution::rectangles(shape, parts, any_owners(random, parts.size(), ranks), ranks);
}

}  // namespace

TEST_CASE("rectangles keep their parts in order, and know whether they are exact") {
  const std::vector<Part> parts{{2, 2, 0, 3}, {0, 4, 3, 1}, {0, 2, 0, 3}, {1, 0, 0, 2}};
  const auto d = Distribution::rectangles({4, 4}, parts, std::vector<Rank>{1, 0, 1, 2}, 3);
  CHECK(d.exact());
  CHECK((d.blocks() == 3 && d.grid_rows() == 0 && d.grid_columns() == 0));
  CHECK(d.parts(1) == std::vector<Part>{{0, 2, 0, 3}, {2, 2, 0, 3}});  // one matrix of 4 x 3 in memory
  CHECK(d.elements(1) == 12);
  CHECK(d.parts(2).empty());
  CHECK(d.blocks_in({1, 2, 2, 2}) == std::vector<int>{0, 1, 2});
  CHECK_FALSE(d.root());
  const std::vector<Part> some{{0, 4, 0, 4}, {0, 1, 0, 1}};
  CHECK_FALSE(Distribution::rectangles({4, 4}, some, std::vector<Rank>{0, 1}, 2).exact());
  const std::vector<Part> twice{{0, 4, 0, 2}, {0, 4, 1, 2}};  // as many elements as there are, not the same
  CHECK_FALSE(Distribution::rectangles({4, 4}, twice, std::vector<Rank>{0, 1}, 2).exact());
  CHECK(Distribution::rectangles({0, 4}, std::vector<Part>{}, std::vector<Rank>{}, 2).exact());
  CHECK_FALSE(Distribution::everywhere({2, 2}, 2).exact());
  CHECK(Distribution::at(0, {2, 2}, 2).exact());
}

TEST_CASE("from and to rectangles a matrix goes as it does between grids") {
  std::mt19937_64 random(8);
  for (const int ranks : {1, 2, 3, 5, 8, 13}) {
    for (const MatrixShape& shape : {MatrixShape{17, 11}, MatrixShape{1, 30}, MatrixShape{30, 1}, MatrixShape{0, 5}}) {
      INFO(shape.rows << " x " << shape.columns << " on " << ranks);
      for (const Distribution& other : distributions(random, shape.rows, shape.columns, ranks)) {
        REQUIRE(arrives({other, column_parts(random, shape, ranks)}));
        REQUIRE(arrives({column_parts(random, shape, ranks), other}));
        REQUIRE(arrives({other, copies(random, shape, ranks)}));
      }
      REQUIRE(arrives({column_parts(random, shape, ranks), copies(random, shape, ranks)}));
    }
  }
}

TEST_CASE("ranks of a group read their own copy") {
  // Two groups, {0, 1} and {2, 3}: each has all of the matrix, in bands and in columns.
  const MatrixShape shape{6, 4};
  const std::vector<Part> parts{{0, 2, 0, 4}, {2, 4, 0, 4}, {0, 6, 0, 1}, {0, 6, 1, 3}};
  const std::vector<Rank> owners{0, 1, 2, 3};
  const auto from = Distribution::rectangles(shape, parts, owners, 4, {0, 0, 1, 1});
  const std::vector<Part> wanted{{0, 6, 0, 2}, {1, 3, 1, 3}, {0, 6, 0, 4}, {5, 1, 0, 4}};
  const Redistribution moves(from, Distribution::rectangles(shape, wanted, owners, 4));
  CHECK(arrives(moves));
  for (const auto& [rank, others] : {std::pair{0, 1}, {1, 0}, {2, 3}, {3, 2}}) {
    for (const Overlap& overlap : moves.received_overlaps(rank)) {
      CHECK((overlap.peer == rank || overlap.peer == others));
    }
  }
}

TEST_CASE("rectangles refuse what is outside, and moves what nobody has once") {
  const std::vector<Rank> owners{0, 1};
  const std::vector<Part> outside{{0, 2, 0, 2}, {1, 2, 0, 3}};
  CHECK_THROWS_WITH(Distribution::rectangles({2, 3}, outside, owners, 2), Catch::Contains("2 x 3 at row 1"));
  CHECK_THROWS_AS(Distribution::rectangles({2, 3}, outside, std::vector<Rank>{0}, 2), Error);
  CHECK_THROWS_AS(Distribution::rectangles({4, 3}, outside, std::vector<Rank>{0, 2}, 2), Error);
  const std::vector<Part> overlapping{{0, 2, 0, 3}, {1, 1, 0, 3}};
  const auto source = Distribution::rectangles({2, 3}, overlapping, owners, 2);
  CHECK_THROWS_WITH(Redistribution(source, Distribution::at(0, {2, 3}, 2)), Catch::Contains("9 elements"));
  const std::vector<Part> half{{0, 1, 0, 3}, {0, 0, 0, 0}};
  const auto part = Distribution::rectangles({2, 3}, half, owners, 2);
  CHECK_THROWS_WITH(Redistribution(part, Distribution::at(0, {2, 3}, 2)), Catch::Contains("3 elements"));
  CHECK(arrives({part, part}));
}
