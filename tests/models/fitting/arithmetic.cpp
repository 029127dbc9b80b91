#include <limits>

#include <catch2/catch.hpp>

#include <tombolo/models/fitting/arithmetic.hpp>
#include <tombolo/models/kinds/common.hpp>

using namespace tombolo;

TEST_CASE("bytes at an inverse rate take their time, rounded up, to either side of 0") {
  CHECK(time_for(1000, megabyte) == 1000);
  CHECK(time_for(1, 1) == 1);
  CHECK(time_for(0, 12345) == 0);
  CHECK(time_for(3, 500'000) == 2);
  CHECK(time_for(3, -500'000) == -1);
  CHECK(time_for(2'000'000, -7) == -14);
  for (const std::int64_t rate : {1'000'000'000LL, 125'000'000LL, 40'000'000'000LL}) {  // as transfer_time has it
    CHECK(time_for(123'456, picoseconds_per_second / rate * megabyte) == transfer_time(123'456, rate));
  }
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK(time_for(most, most) == never);
  CHECK(time_for(most, -most) == -never);
}

TEST_CASE("a cost keeps its total, and gives up the receiver's parts where there is no room") {
  const MessageCost wanted{.overhead = 5, .send = 9, .receive = 30, .receive_overhead = 20};
  for (const Picoseconds total : {-10, 0, 10, 20, 35, 50, 100}) {
    const MessageCost cost = total_cost(wanted, total);
    CHECK(cost.transit + cost.receive + cost.receive_overhead == std::max<Picoseconds>(total, 0));
    CHECK(cost.overhead == 5);
    CHECK(cost.send == 9);
    CHECK(cost.transit >= 0);
    CHECK((total < 50 || cost.receive == 30));
    CHECK((total < 20 || cost.receive_overhead == 20));
  }
  CHECK(times(never / 2, 3) == never);
  CHECK(times(7, 0) == 0);
  CHECK(times(never, 0) == 0);
}
