#include <limits>

#include <catch2/catch.hpp>

#include <tombolo/units.hpp>

using namespace tombolo;

TEST_CASE("transfer times are exact and rounded up, and never overflow") {
  CHECK(transfer_time(0, 5) == 0);
  CHECK(transfer_time(1, 1) == picoseconds_per_second);
  CHECK(transfer_time(1, 3) == 333'333'333'334);
  CHECK(transfer_time(std::int64_t{1} << 40, 1'000'000'000'000) == std::int64_t{1} << 40);
  CHECK(transfer_time(std::numeric_limits<std::int64_t>::max(), 1) == never);
  CHECK(plus(never, 5) == never);
  CHECK(plus(3, 4) == 7);
  CHECK(seconds(1'500'000'000'000) == 1.5);
}
