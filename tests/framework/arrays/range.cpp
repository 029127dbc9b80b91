// Parts of what items have: together all of it, once, none of them shorter than what is worth a call.
#include <catch2/catch.hpp>

#include <tombolo/arrays.hpp>

using namespace tombolo;

TEST_CASE("parts of an extent follow each other and cover it") {
  for (const std::int64_t extent : {0, 1, 2, 7, 64, 1000}) {
    for (const std::int64_t parts : {1, 2, 3, 7, 100}) {
      for (const std::int64_t least : {1, 2, 10, 2000}) {
        std::int64_t next = 0;
        for (std::int64_t part = 0; part < parts; ++part) {
          const Range some = Range(5, 3).part(part, parts).part_of(extent, least);
          REQUIRE(some.first() == next);
          REQUIRE((some.count() == 0 || some.count() == extent || some.count() >= least));
          next = some.end();
        }
        REQUIRE(next == extent);
      }
    }
  }
}

TEST_CASE("a range without parts has the whole of its items") {
  const Range range(5, 3, {0, 4, 2});
  CHECK(range.part_of(10) == Range(0, 10));
  CHECK(range.part(1, 2).first() == 5);
  CHECK(range.part(1, 2).size() == 24);
  CHECK(range.part(0, 1) == range);
}
