#include <catch2/catch.hpp>

#include <tombolo/framework/program/adapt/chunks.hpp>

#include "framework/program/programs.hpp"

using namespace tombolo;

TEST_CASE("the chunks of the page") {
  Chunks chunks(Division({{80, 20}}), 1);
  CHECK(chunks.next(0) == Slice{0, 20, 0});
  CHECK(chunks.next(1) == Slice{20, 4, 0});
  CHECK(chunks.left() == 76);
}

TEST_CASE("whoever asks, every item is handed out once, never more than the most") {
  std::mt19937 random(1);
  for (const int ranks : {1, 2, 3, 8, 50}) {
    for (const std::int64_t items : {0, 1, 3, 49, 1000}) {
      for (const std::int64_t grain : {1, 2, 30, 5000}) {
        Chunks chunks(test::random_division(items, 1, ranks, random), grain);
        const Chunks before = chunks;
        std::int64_t next = 0;
        std::int64_t calls = 0;
        while (chunks.left() > 0) {
          REQUIRE(chunks.left() == items - next);
          const Rank rank = static_cast<Rank>(random() % static_cast<unsigned>(ranks));
          const Slice slice = chunks.next(rank);
          REQUIRE(slice.first == next);
          REQUIRE(slice.count > 0);
          REQUIRE(slice.count <= before.largest(rank));
          REQUIRE((slice.count >= grain || chunks.left() == 0));
          next += slice.count;
          ++calls;
        }
        REQUIRE(next == items);
        REQUIRE(calls <= items);
        for (Rank rank = 0; rank < ranks; ++rank) {
          REQUIRE(chunks.next(rank).count == 0);
          // Two of them have room where a rank holds its share, or two grains if that is more.
          REQUIRE(before.largest(rank) <= items);
        }
      }
    }
  }
}

TEST_CASE("two chunks have room in the share of a rank, or in two grains") {
  std::mt19937 random(2);
  for (const std::int64_t items : {1, 10, 1000}) {
    for (const std::int64_t grain : {1, 7, 100}) {
      const Division division = test::random_division(items, 1, 5, random);
      const Chunks chunks(division, grain);
      for (Rank rank = 0; rank < 5; ++rank) {
        CHECK(2 * chunks.largest(rank) <= std::max(division.items_of(rank), 2 * grain));
      }
    }
  }
}

TEST_CASE("a chunk is no more than a message can count") {
  const std::int64_t many = std::int64_t{1} << 50;
  Chunks chunks(Division({{many, 0}}), 1);
  CHECK(chunks.largest(0) == std::int64_t{1} << 30);
  CHECK(chunks.next(0).count == std::int64_t{1} << 30);
  CHECK(chunks.next(1).count == 1);
  CHECK(Chunks(Division({{many, 0}}), many).next(1).count == std::int64_t{1} << 30);
}
