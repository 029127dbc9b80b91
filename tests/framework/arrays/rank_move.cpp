#include <algorithm>
#include <array>
#include <complex>
#include <functional>
#include <set>
#include <type_traits>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/rank_move.hpp>
#include <tombolo/shares.hpp>

#include "framework/arrays/carried_out.hpp"
#include "framework/arrays/distributions.hpp"
#include "framework/elements.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;
using Shares = std::vector<std::int64_t>;

namespace {

/// All these numbers of ranks; the small ones of what is instrumented.
std::vector<int> few_and_many(std::vector<int> ranks) {
  if (test::sanitized()) std::erase_if(ranks, [](int count) { return count > 3; });
  return ranks;
}

/// A rank's memories: those of the two arrays and the buffers.
template <class T>
struct Memories {
  std::vector<T> from, to, packed, arrived;
  MoveMemory all() { return {bytes(from), bytes(to), bytes(packed), bytes(arrived)}; }
};

/// All ranks in one process: packs, exchanges, unpacks; that every rank ends with what it is to have. `lacks(row,
/// column)`: true for elements that the source lacks, which are as they were.
template <class T>
bool moves_all(const Redistribution& moves, Source source,
               const std::function<bool(std::int64_t, std::int64_t)>& lacks = {}) {
  const int ranks = moves.ranks();
  const std::int64_t width = moves.from().shape().columns;
  constexpr Bytes element = sizeof(T);
  std::vector<RankMove> all;
  std::vector<Memories<T>> memories(index(ranks));
  PerRank<T> sent(index(ranks));
  for (Rank rank = 0; rank < ranks; ++rank) {
    const RankMove& mine = all.emplace_back(moves, rank, source);
    auto& memory = memories[index(rank)];
    memory.from = held_by<T>(moves.from(), rank, width);
    REQUIRE(mine.room() >= std::ssize(memory.from));
    if (source == Source::spent) memory.from.resize(index(mine.room()), T(-1));
    memory.to.assign(index(source == Source::spent ? mine.room() : moves.to().elements(rank)), T(-2));
    memory.packed.assign(index(mine.packed_room()), T(-4));
    memory.arrived.assign(index(mine.arrived_room()), T(-5));
    if (mine.packs()) mine.pack(element, memory.all());
    const auto* const first = reinterpret_cast<const T*>(mine.sent(element, memory.all()));
    sent[index(rank)].assign(first, first + moves.sends(rank));
  }
  const PerRank<T> received = carried_out(moves, sent);
  for (Rank rank = 0; rank < ranks; ++rank) {
    const RankMove& mine = all[index(rank)];
    auto& memory = memories[index(rank)];
    const auto before = held_by<T>(moves.from(), rank, width);
    std::byte* const into = mine.received(memory.all());
    const auto& got = received[index(rank)];
    // What was sent is not needed any more; what is received into must not be.
    if (into == bytes(memory.from) && !memory.from.empty() && moves.operation()) {
      REQUIRE(source == Source::spent);
      std::fill(memory.from.begin(), memory.from.end(), T(-3));
    }
    std::copy(got.begin(), got.end(), reinterpret_cast<T*>(into));
    mine.unpack(element, memory.all());
    if (source == Source::kept && memory.from != before) return false;
    auto expected = held_by<T>(moves.to(), rank, width, moves.transposed());
    if constexpr (std::is_same_v<T, double>) {
      for (double& value : expected) {
        const auto number = static_cast<std::int64_t>(value);
        if (lacks && lacks(number / width, number % width)) value = -2;
      }
    }
    const std::vector<T>& result = mine.ends_in_source() ? memory.from : memory.to;
    if (!std::equal(expected.begin(), expected.end(), result.begin())) return false;
    if (mine.is_view() && before != expected && !moves.from().replicated()) return false;
  }
  return true;
}

template <class T>
bool moves_all(const Redistribution& moves) {
  return moves_all<T>(moves, Source::kept) && moves_all<T>(moves, Source::spent);
}

/// A rank's elements as one matrix with lines of `stride` elements, of which some are no elements.
std::vector<double> local_array(const Distribution& distribution, Rank rank, std::int64_t stride, std::int64_t width,
                                bool transposed = false) {
  std::set<std::int64_t> rows, columns;
  for (const Part& part : distribution.parts(rank)) {
    for (std::int64_t i = 0; i < part.rows && part.columns > 0; ++i) rows.insert(part.first_row + i);
    for (std::int64_t j = 0; j < part.columns && part.rows > 0; ++j) columns.insert(part.first_column + j);
  }
  REQUIRE(std::ssize(rows) * std::ssize(columns) == distribution.elements(rank));
  std::vector<double> local(index(std::ssize(rows) * stride), -1);
  std::int64_t line = 0;
  for (const std::int64_t row : rows) {
    std::int64_t at = line++ * stride;
    for (const std::int64_t column : columns)
      local[index(at++)] = static_cast<double>(transposed ? column * width + row : row * width + column);
  }
  return local;
}

/// Moves local arrays, all ranks in one process.
bool moves_arrays(const Redistribution& moves, std::int64_t from_stride, std::int64_t to_stride) {
  const std::int64_t width = moves.from().shape().columns;
  std::vector<Memories<double>> memories(index(moves.ranks()));
  std::vector<RankMove> all;
  PerRank<double> sent;
  for (Rank rank = 0; rank < moves.ranks(); ++rank) {
    const RankMove& mine = all.emplace_back(moves, rank, Source::kept, LineStrides{from_stride, to_stride});
    auto& memory = memories[index(rank)];
    memory.from = local_array(moves.from(), rank, from_stride, width);
    memory.to.assign(local_array(moves.to(), rank, to_stride, width, moves.transposed()).size(), -1);
    memory.packed.resize(index(mine.packed_room()));
    memory.arrived.resize(index(mine.arrived_room()));
    if (mine.packs()) mine.pack(sizeof(double), memory.all());
    const auto* const first = reinterpret_cast<const double*>(mine.sent(sizeof(double), memory.all()));
    sent.emplace_back(first, first + moves.sends(rank));
  }
  const PerRank<double> received = carried_out(moves, sent);
  for (Rank rank = 0; rank < moves.ranks(); ++rank) {
    const auto memory = memories[index(rank)].all();
    std::ranges::copy(received[index(rank)], reinterpret_cast<double*>(all[index(rank)].received(memory)));
    all[index(rank)].unpack(sizeof(double), memory);
    const auto expected = local_array(moves.to(), rank, to_stride, width, moves.transposed());
    if (memories[index(rank)].to != expected) return false;
    const auto there = all[index(rank)].part_of_source();
    for (std::int64_t i = 0; there && i < there->lines * there->width; ++i) {
      const auto from = there->offset + i / there->width * there->stride + i % there->width;
      const auto to = i / there->width * to_stride + i % there->width;
      if (memories[index(rank)].from[index(from)] != expected[index(to)]) return false;
    }
  }
  return true;
}

/// Elements that are not received from the rank itself: no more than have to come from others.
std::int64_t least_received(const Redistribution& moves, Rank rank) {
  std::int64_t here = 0;
  for (const Part& to : moves.to().parts(rank)) {
    for (const Part& from : moves.from().parts(rank)) {
      here += overlap(from, moves.transposed() ? to.transposed() : to).elements();
    }
  }
  return moves.to().elements(rank) - here;
}

bool is_view(const Redistribution& moves, Rank rank) {
  return RankMove(moves, rank).is_view();
}

Redistribution transposed(const Layout& a, const Layout& b) {
  return {Distribution(a), Distribution(b), true};
}

}  // namespace

TEMPLATE_TEST_CASE("packed, sent and unpacked, a matrix is where it is to be", "", TOMBOLO_ELEMENTS) {
  std::mt19937_64 random(1);
  const bool every = std::is_same_v<TestType, double>;  // sizes of elements matter little: some ranks do for the others
  for (const int ranks : few_and_many(every ? std::vector{1, 2, 3, 5, 8, 13, 16} : std::vector{3, 8})) {
    for (const auto& [m, n] : {std::pair{7, 5}, {29, 18}, {1, 23}, {23, 1}, {0, 6}, {6, 0}}) {
      const auto targets = distributions(random, m, n, ranks);
      const auto turned = distributions(random, n, m, ranks);
      for (const Distribution& from : distributions(random, m, n, ranks)) {
        INFO(m << " x " << n << " on " << ranks);
        for (const Distribution& to : targets) REQUIRE(moves_all<TestType>(Redistribution(from, to)));
        for (const Distribution& to : turned) REQUIRE(moves_all<TestType>(Redistribution(from, to, true)));
      }
    }
  }
}

TEST_CASE("a matrix moves from local arrays to others") {
  std::mt19937_64 random(3);
  const auto any = [&](int from, int to) {
    return from + static_cast<int>(random() % static_cast<unsigned>(to - from + 1));
  };
  for (const int ranks : few_and_many({1, 2, 3, 6, 8, 12})) {
    const auto cyclic = [&](std::int64_t rows, std::int64_t columns) {
      BlockCyclic how{.block = {any(1, 5), any(1, 5)}, .grid_rows = any(1, ranks)};
      how.grid_columns = ranks / how.grid_rows;
      return block_cyclic({rows, columns}, how, ranks, any(0, 9), any(0, 9));
    };
    for (int trial = 0; trial < 200; ++trial) {
      const int m = any(0, 20);
      const int n = any(0, 20);
      INFO(m << " x " << n << " on " << ranks);
      REQUIRE(moves_arrays({cyclic(m, n), cyclic(m, n)}, n + any(1, 3), n + any(1, 3)));
      REQUIRE(moves_arrays({cyclic(m, n), cyclic(n, m), true}, n + any(1, 3), m + any(1, 3)));
      const Distribution same = cyclic(m, n);
      REQUIRE(moves_arrays({same, same}, n + any(1, 3), n + any(1, 3)));
    }
  }
}

TEMPLATE_TEST_CASE("from any layout a matrix is transposed to any other one", "", float, std::complex<double>) {
  std::mt19937_64 random(2);
  for (const int ranks : few_and_many({1, 2, 3, 4, 6, 13, 67})) {
    for (const auto& [m, n] : {std::pair{1, 1}, {5, 31}, {64, 64}, {97, 13}, {1, 50}, {50, 1}, {0, 9}, {9, 0}}) {
      for (const auto& [a, b] : layout_pairs(random, m, n, ranks)) {
        INFO(m << " x " << n << " on " << ranks);
        REQUIRE(moves_all<TestType>(transposed(a, b)));
      }
    }
  }
}

TEST_CASE("elements of any size are moved, and what is larger than the caches") {
  struct Odd {
    explicit Odd(float x) : value(x) {}
    bool operator==(const Odd&) const = default;
    float value;
    std::array<char, 8> rest{1, 2, 3};
  };
  static_assert(sizeof(Odd) == 12);
  std::mt19937_64 random(2);
  for (const auto& from : distributions(random, 35, 71, 3)) {
    for (const auto& to : distributions(random, 71, 35, 3)) REQUIRE(moves_all<Odd>(Redistribution(from, to, true)));
  }
  const auto [m, n] = test::sanitized() ? std::pair{301, 407} : std::pair{701, 907};
  for (const auto& [a, b] : layout_pairs(random, m, n, 3)) REQUIRE(moves_all<double>(transposed(a, b), Source::spent));
  const auto large = distributions(random, m, n, 3);
  for (const auto& from : large) {
    REQUIRE(moves_all<double>(Redistribution(from, large[random() % large.size()])));
    REQUIRE(moves_all<double>(Redistribution(from, Distribution::rows(Shares{n - 107, 0, 107}, m), true)));
  }
}

TEST_CASE("more ranks than keep their own or know all counts") {
  std::mt19937_64 random(3);
  for (const int ranks : test::sanitized() ? std::vector{67} : std::vector{67, 259}) {
    const int bands = ranks / 7;
    std::vector<Rank> owners(index(bands) * 7, 3);
    const auto rows = Distribution::rows(random_shares(random, 401, ranks), 350);
    const auto columns = Distribution::columns(401, random_shares(random, 350, ranks));
    const auto blocks =
        Distribution::blocks(random_shares(random, 401, bands), random_shares(random, 350, 7), owners, ranks);
    for (Rank& owner : owners) owner = static_cast<Rank>(random() % static_cast<unsigned>(ranks));
    const auto scattered =
        Distribution::blocks(random_shares(random, 401, bands), random_shares(random, 350, 7), owners, ranks);
    for (const auto& from : {rows, columns, blocks, scattered}) {
      for (const auto& to : {rows, columns, blocks, scattered}) REQUIRE(moves_all<float>(Redistribution(from, to)));
    }
    const Request turned = *Redistribution(rows, columns).request(5, 8);
    CHECK(turned.exchange.factors());
    CHECK(turned.knowledge == Knowledge::everywhere);
    const Request any = *Redistribution(scattered, rows).request(5, 8);
    CHECK(any.exchange.knows(0) == (ranks <= Redistribution::most_in_matrix));
    CHECK(any.knowledge == (any.exchange.knows(0) ? Knowledge::everywhere : Knowledge::as_in_mpi));
  }
}

TEST_CASE("what the source lacks keeps its value where some is updated") {
  constexpr std::int64_t rows = 23;
  constexpr std::int64_t columns = 17;
  // Every second column of blocks, of as many ranks as there are such.
  for (const int ranks : {1, 2, 3, 8}) {
    std::vector<Part> parts;
    std::vector<Rank> owners;
    for (std::int64_t column = 1; column < columns; column += 4) {
      parts.push_back({0, rows, column, 2});
      owners.push_back(static_cast<Rank>((std::ssize(parts) * 5) % ranks));
    }
    const auto lacks = [](std::int64_t /*row*/, std::int64_t column) { return column % 4 == 0 || column % 4 == 3; };
    const Distribution from = Distribution::rectangles({rows, columns}, parts, owners, ranks);
    for (const Distribution& to : {Distribution::at(ranks - 1, {rows, columns}, ranks),
                                   Distribution::rows(equal_shares(rows, ranks), columns)}) {
      const Redistribution moves(from, to, false, OwnData::stays, Covers::some);
      CHECK(moves_all<double>(moves, Source::kept, lacks));
      CHECK_THROWS_AS(Redistribution(from, to), Error);
    }
  }
}

TEST_CASE("own data that is exchanged with the rest needs no place of its own") {
  std::mt19937_64 random(7);
  for (const int ranks : {1, 2, 3, 8, 67}) {
    const auto widths = random_shares(random, 40, ranks);
    std::vector<Rank> owners(index(ranks));
    for (Rank rank = 0; rank < ranks; ++rank) owners[index(rank)] = rank;
    const Redistribution moves(Distribution::rows(random_shares(random, 30, ranks), 40),
                               Distribution::blocks(Shares{30}, widths, owners, ranks), false, OwnData::exchanged);
    CHECK(moves_all<float>(moves));
    CHECK((moves.operation() == Operation::alltoallv && moves.request(0, 4)->exchange.factors()));
    for (Rank rank = 0; rank < ranks; ++rank) {
      CHECK((moves.keeps(rank) == 0 && !RankMove(moves, rank).unpacks()));
      CHECK(moves.receives(rank) == 30 * widths[index(rank)]);
    }
  }
}

TEST_CASE("memories follow the worked example") {
  const Redistribution moves(Distribution::rows(Shares{2, 1}, 4), Distribution::rows(Shares{2, 2}, 3), true);
  const RankMove mine(moves, 0, Source::spent);
  CHECK((mine.room() == 8 && mine.packed() == 8 && mine.unpacked() == 6 && !mine.ends_in_source()));
  std::vector<double> from{1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<double> to(8);
  const MoveMemory memory{.from = bytes(from), .to = bytes(to)};
  mine.pack(sizeof(double), memory);
  CHECK(to == std::vector<double>{3, 7, 4, 8, 1, 5, 2, 6});
  CHECK(mine.sent(sizeof(double), memory) == bytes(to));
  REQUIRE(mine.received(memory) == bytes(from));
  std::ranges::copy(std::vector<double>{9, 10, 0, 0, 0, 0, 0, 0}, from.begin());
  mine.unpack(sizeof(double), memory);
  to.resize(6);
  CHECK(to == std::vector<double>{1, 5, 9, 2, 6, 10});
}

TEST_CASE("nothing is packed or unpacked that is in order, and a view is where it was") {
  const Shares rows{30, 20};
  const Shares columns{40, 25};
  const Layout a = Layout::rows(rows, 65);
  for (Rank rank = 0; rank < 2; ++rank) {
    const RankMove view(transposed(a, Layout::columns(65, rows)), rank, Source::spent);
    CHECK((view.is_view() && view.ends_in_source() && view.packed() == 0 && view.unpacked() == 0));
    const RankMove shifted(transposed(a, Layout::columns(65, Shares{20, 30})), rank, Source::spent);
    CHECK((shifted.packed() == 0 && shifted.unpacked() == 0 && !shifted.ends_in_source()));
    const RankMove to_rows(transposed(a, Layout::rows(columns, 50)), rank, Source::spent);
    CHECK((to_rows.packed() == a.part(rank).elements() && to_rows.unpacked() == columns[index(rank)] * 50));
  }
  const Layout turned = Layout::blocks(Shares{40, 25}, rows).placed({0, 2, 1, 3});
  for (Rank rank = 0; rank < 4; ++rank) {
    const RankMove own(transposed(Layout::blocks(rows, columns), turned), rank, Source::spent);
    CHECK((own.packed() == own.room() && own.unpacked() == 0 && !own.ends_in_source()));
  }
}

TEST_CASE("nothing is packed that is in order, nothing sent that stays") {
  std::mt19937_64 random(4);
  for (const int ranks : few_and_many({2, 3, 8, 17})) {
    const auto some_rows = [&] { return Distribution::rows(random_shares(random, 60, ranks), 7); };
    const auto root = Distribution::at(ranks - 1, {60, 7}, ranks);
    const auto everywhere = Distribution::everywhere({60, 7}, ranks);
    for (const Redistribution& moves :
         {Redistribution(some_rows(), some_rows()), Redistribution(root, some_rows()),
          Redistribution(some_rows(), root), Redistribution(some_rows(), everywhere),
          Redistribution(some_rows(), Distribution::columns(7, random_shares(random, 60, ranks)), true)}) {
      if (!moves.operation() || moves.operation() == Operation::bcast) continue;
      for (Rank rank = 0; rank < ranks; ++rank)
        CHECK_FALSE((RankMove(moves, rank).packs() || RankMove(moves, rank).unpacks()));
    }
    for (const auto& from : distributions(random, 60, 7, ranks)) {
      for (const auto& to : distributions(random, 60, 7, ranks)) {
        const Redistribution moves(from, to);
        const bool in_order = !moves.operation() || (!RankMove(moves, 0).packs() && !RankMove(moves, 0).unpacks());
        if (moves.operation() != Operation::alltoallv || in_order) continue;
        for (Rank rank = 0; rank < ranks; ++rank) {
          if (moves.keeps(rank) > 0) CHECK(moves.receives(rank) == least_received(moves, rank));
        }
      }
    }
  }
}

TEST_CASE("a rank's own array is a view where it is what is to be") {
  const Shares shares{10, 15, 5};
  const auto rows = Distribution::rows(shares, 20);
  const Redistribution same(rows, rows);
  const Redistribution turned(rows, Distribution::columns(20, shares), true);
  const Redistribution copies(Distribution::everywhere({30, 20}, 3), rows);
  for (Rank rank = 0; rank < 3; ++rank) {
    CHECK((is_view(same, rank) && is_view(turned, rank) && same.keeps(rank) == rows.elements(rank)));
    CHECK(is_view(copies, rank) == (rank == 0));  // whose rows are the first ones
  }
  CHECK_FALSE(is_view(Redistribution(rows, Distribution::rows(Shares{15, 10, 5}, 20)), 2));
}
