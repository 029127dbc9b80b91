#include <cstddef>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/shares.hpp>
#include <tombolo/framework/transpose_exchange.hpp>
#include <tombolo/platform/error.hpp>

#include "framework/layouts.hpp"

using namespace tombolo;
using Counts = std::vector<std::int64_t>;

TEST_CASE("every element goes from one rank to one rank") {
  std::mt19937_64 random(1);
  for (const int ranks : {1, 2, 3, 4, 7, 8, 12, 13, 64, 65, 66}) {
    for (const auto& [a, b] : layout_pairs(random, 53, 29, ranks)) {
      const TransposeExchange exchange(a, b);
      std::int64_t sum = 0;
      std::int64_t own = 0;
      const Exchange counts = exchange.exchange(0);
      REQUIRE(counts == exchange.exchange(ranks - 1));
      for (Rank rank = 0; rank < ranks; ++rank) {
        const std::int64_t kept = exchange.keeps_own() ? exchange.block(rank, rank).elements() : 0;
        REQUIRE(counts.sends(rank).total() + kept == a.part(rank).elements());
        REQUIRE(counts.receives(rank).total() + kept == b.part(rank).elements());
        for (Rank other = 0; other < ranks; ++other) {
          const bool left_out = other == rank && exchange.keeps_own();
          REQUIRE(counts.sends(rank).count(other) == (left_out ? 0 : exchange.block(rank, other).elements()));
          REQUIRE(counts.knows(other));
          REQUIRE(counts.receives(rank).count(other) == counts.sends(other).count(rank));
        }
        sum += counts.sends(rank).total() + kept;
        own += exchange.block(rank, rank).elements();
      }
      CHECK(sum == std::int64_t{53} * 29);
      CHECK(own == exchange.staying());
      CHECK(exchange.all_stay() == (own == sum));
    }
  }
}

TEST_CASE("by rows and back by rows is a product among many ranks, and no counts per pair are kept") {
  const Counts rows = equal_shares(1'000'003, 5000);
  const TransposeExchange exchange(Layout::rows(rows, 1'000'003), Layout::rows(rows, 1'000'003));
  CHECK(exchange.exchange(0) == Exchange::product(Blocks(rows), Blocks(rows)));
  const TransposeExchange by_columns(Layout::columns(1'000'003, rows), Layout::columns(1'000'003, rows));
  CHECK(by_columns.exchange(0) == Exchange::product(Blocks(rows), Blocks(rows)));
}

TEST_CASE("among very many ranks each knows its own counts of other exchanges") {
  const Counts bands = equal_shares(5000, 40);
  const TransposeExchange exchange(Layout::blocks(bands, bands), Layout::rows(equal_shares(5000, 1600), 5000));
  const Exchange counts = exchange.exchange(7);
  CHECK(counts.knows(7));
  CHECK_FALSE(counts.knows(8));
  CHECK(counts.sends(7).total() == std::int64_t{125} * 125);
}

TEST_CASE("a view is where every rank's memory is already that of its part of B") {
  const Counts rows{3, 0, 5};
  const Counts columns{2, 7, 1};
  CHECK(TransposeExchange(Layout::rows(rows, 10), Layout::columns(10, rows)).is_view());
  CHECK(TransposeExchange(Layout::columns(8, columns), Layout::rows(columns, 8)).is_view());
  CHECK_FALSE(TransposeExchange(Layout::rows(rows, 10), Layout::columns(10, Counts{5, 0, 3})).is_view());
  CHECK_FALSE(TransposeExchange(Layout::rows(rows, 10), Layout::rows(columns, 8)).is_view());
  const Layout blocks = Layout::blocks(Counts{3, 5}, Counts{4, 6});
  const TransposeExchange turned(blocks, Layout::blocks(Counts{4, 6}, Counts{3, 5}).placed({0, 2, 1, 3}));
  CHECK(turned.all_stay());
  CHECK_FALSE(turned.is_view());
  // One row on one rank, one column there.
  CHECK(TransposeExchange(Layout::rows(Counts{0, 1}, 5), Layout::rows(Counts{0, 5}, 1)).is_view());
  CHECK(TransposeExchange(Layout::rows(Counts{0, 0}, 5), Layout::rows(Counts{2, 3}, 0)).is_view());
}

TEST_CASE("layouts that do not fit each other are errors") {
  const Layout a = Layout::rows(Counts{2, 1}, 4);
  CHECK_THROWS_AS(TransposeExchange(a, Layout::rows(Counts{2, 1}, 4)), Error);
  CHECK_THROWS_AS(TransposeExchange(a, Layout::rows(Counts{4}, 3)), Error);
  CHECK_THROWS_AS(TransposeExchange(a, Layout::columns(4, Counts{1, 1, 1})), Error);
}
