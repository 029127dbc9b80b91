#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/transpose_parts.hpp>

#include "framework/layouts.hpp"

using namespace tombolo;
using Counts = std::vector<std::int64_t>;

namespace {

std::size_t index(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

/// Every element differs from all others, so one at a wrong place is seen. Counted in rows of A, of so many columns.
template <class T>
std::vector<T> held(const Layout& layout, Rank rank, std::int64_t columns, bool transposed) {
  const Part part = layout.part(rank);
  std::vector<T> values;
  for (std::int64_t x = 0; x < (layout.by_columns() ? part.columns : part.rows); ++x) {
    for (std::int64_t y = 0; y < (layout.by_columns() ? part.rows : part.columns); ++y) {
      const std::int64_t row = part.first_row + (layout.by_columns() ? y : x);
      const std::int64_t column = part.first_column + (layout.by_columns() ? x : y);
      values.push_back(T(static_cast<float>(transposed ? column * columns + row : row * columns + column)));
    }
  }
  return values;
}

/// One rank's two buffers, which take turns, as in a run.
template <class T>
struct Buffers {
  std::vector<T> first;
  std::vector<T> second;
  T* own = nullptr;
};

/// All ranks in one process: packs, exchanges, unpacks; that every rank ends with its part of B.
template <class T>
bool transposes(const TransposeExchange& exchange) {
  const int ranks = exchange.ranks();
  const std::int64_t columns = exchange.a().shape().columns;
  std::vector<TransposeParts> parts;
  std::vector<Buffers<T>> all(index(ranks));
  for (Rank rank = 0; rank < ranks; ++rank) {
    const TransposeParts& mine = parts.emplace_back(exchange, rank);
    auto& [first, second, own] = all[index(rank)];
    first = held<T>(exchange.a(), rank, columns, false);
    REQUIRE(std::ssize(first) == mine.of_a());
    const std::int64_t room = std::max(mine.of_a(), mine.of_b());
    first.resize(index(room), T(-1));
    second.assign(index(room), T(-2));
    own = mine.packs() ? second.data() + room - mine.kept() : first.data();
    if (mine.packs()) mine.pack(first.data(), second.data(), own);
  }
  std::vector<std::vector<T>> received(index(ranks));
  for (Rank from = 0; from < ranks; ++from) {
    const Blocks sends = exchange.exchange(from).sends(from);
    for (Rank to = 0; to < ranks; ++to) {
      const auto& sent = parts[index(from)].packs() ? all[index(from)].second : all[index(from)].first;
      received[index(to)].insert(received[index(to)].end(), sent.begin() + sends.offset(to),
                                 sent.begin() + sends.offset(to) + sends.count(to));
    }
  }
  bool right = true;
  for (Rank rank = 0; rank < ranks; ++rank) {
    const TransposeParts& mine = parts[index(rank)];
    auto& [first, second, own] = all[index(rank)];
    REQUIRE(std::ssize(received[index(rank)]) == mine.of_b() - mine.kept());
    const auto expected = held<T>(exchange.b(), rank, columns, true);
    const T* b = mine.kept() > 0 && mine.kept() == mine.of_b() ? own : received[index(rank)].data();
    if (mine.unpacks()) {
      T* const to = mine.packs() ? second.data() : first.data();
      mine.unpack(received[index(rank)].data(), own, to);
      b = to;
    }
    right = right && std::equal(expected.begin(), expected.end(), b);
  }
  return right;
}

}  // namespace

TEMPLATE_TEST_CASE("packed, exchanged and unpacked is transposed, in any layouts on any number of ranks", "", float,
                   double, std::complex<float>, std::complex<double>) {
  std::mt19937_64 random(1);
  for (const int ranks : {1, 2, 3, 4, 5, 6, 8, 13}) {
    for (const auto& [m, n] :
         {std::pair{1, 1}, {7, 5}, {5, 31}, {64, 64}, {97, 13}, {1, 50}, {50, 1}, {0, 9}, {9, 0}}) {
      for (const auto& [a, b] : layout_pairs(random, m, n, ranks)) {
        INFO(m << " x " << n << " on " << ranks);
        REQUIRE(transposes<TestType>(TransposeExchange(a, b)));
      }
    }
  }
}

TEST_CASE("among so many ranks that none keeps its own block, too") {
  std::mt19937_64 random(2);
  const int ranks = TransposeExchange::most_keeping + 2;
  for (const auto& [a, b] : layout_pairs(random, 103, 131, ranks)) {
    REQUIRE(transposes<double>(TransposeExchange(a, b)));
  }
}

TEST_CASE("what is larger than the caches is written past them alike") {
  std::mt19937_64 random(3);
  for (const auto& [a, b] : layout_pairs(random, 1301, 1607, 3)) {
    REQUIRE(transposes<double>(TransposeExchange(a, b)));
  }
}

TEST_CASE("blocks follow the worked example") {
  const TransposeExchange exchange(Layout::rows(Counts{2, 1}, 4), Layout::rows(Counts{2, 2}, 3));
  const TransposeParts parts(exchange, 0);
  CHECK((parts.of_a() == 8 && parts.of_b() == 6 && parts.kept() == 4));
  const std::vector<double> a{1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<double> send(8);
  parts.pack(a.data(), send.data(), send.data() + 4);
  CHECK(send == std::vector<double>{3, 7, 4, 8, 1, 5, 2, 6});
  const std::vector<double> received{9, 10};
  parts.unpack(received.data(), send.data() + 4, send.data());
  send.resize(6);
  CHECK(send == std::vector<double>{1, 5, 9, 2, 6, 10});
}

TEST_CASE("nothing is packed or unpacked that is in order as it is") {
  const Counts rows{30, 20};
  const Counts columns{40, 25};
  const Layout a = Layout::rows(rows, 65);
  for (Rank rank = 0; rank < 2; ++rank) {
    const TransposeParts view(TransposeExchange(a, Layout::columns(65, rows)), rank);
    CHECK_FALSE((view.packs() || view.unpacks()));
    const TransposeParts shifted(TransposeExchange(a, Layout::columns(65, Counts{20, 30})), rank);
    CHECK_FALSE((shifted.packs() || shifted.unpacks()));
    const TransposeParts to_blocks(TransposeExchange(a, Layout::rows(columns, 50)), rank);
    CHECK((to_blocks.packs() && to_blocks.unpacks()));
  }
  const Layout turned = Layout::blocks(Counts{40, 25}, rows).placed({0, 2, 1, 3});
  for (Rank rank = 0; rank < 4; ++rank) {
    const TransposeParts own(TransposeExchange(Layout::blocks(rows, columns), turned), rank);
    CHECK((own.packs() && !own.unpacks() && own.kept() == own.of_a()));
  }
}
