#include <catch2/catch.hpp>

#include <tombolo/platform/readable.hpp>

using namespace tombolo;

TEST_CASE("a time is told in the unit that fits") {
  CHECK(readable(0) == "0 ps");
  CHECK(readable(999) == "999 ps");
  CHECK(readable(1'500) == "1.5 ns");
  CHECK(readable(12'170'000'000) == "12.17 ms");
  CHECK(readable(picoseconds_per_second) == "1 s");
  CHECK(readable(never) == "more than 9.223e+06 s");
  CHECK(readable(90 * picoseconds_per_second) == "90 s");
}
