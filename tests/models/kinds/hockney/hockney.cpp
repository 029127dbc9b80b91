#include <limits>

#include <catch2/catch.hpp>

#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/platform/error.hpp>

using namespace tombolo;

TEST_CASE("a message takes latency + bytes / rate, rounded up to a picosecond") {
  const Hockney model({.latency = 50'000'000, .rate = 125'000'000});
  CHECK(model.time(0) == 50'000'000);
  CHECK(model.time(125'000'000) == 50'000'000 + picoseconds_per_second);
  CHECK(model.time(1) == 50'000'000 + 8'000);
  const Hockney odd({.latency = 0, .rate = 3});
  CHECK(odd.time(1) == 333'333'333'334);
  CHECK(odd.time(2) == 666'666'666'667);
}

TEST_CASE("both ports are busy for the whole message, whoever the two are") {
  const Hockney model({.latency = 7, .rate = 1'000'000'000, .memory_rate = 2'000'000'000});
  for (const Bytes bytes : {0, 1, 1000}) {
    const MessageCost cost = model.message(3, 5, bytes);
    CHECK(cost.send == model.time(bytes));
    CHECK(cost.receive == model.time(bytes));
    CHECK(cost.transit == 0);
    CHECK(model.local(bytes) == bytes * 500);
  }
}

TEST_CASE("sizes beyond 2^31 do not overflow, and what takes longer than a clock can say stays at its end") {
  const Hockney model({.latency = 1, .rate = 1'000'000'000});
  CHECK(model.time(Bytes{1} << 40) == 1 + (Bytes{1} << 40) * 1000);
  const Hockney slow({.latency = 1, .rate = 1});
  CHECK(slow.time(std::numeric_limits<Bytes>::max()) == never);
}

TEST_CASE("parameters that no network has are refused") {
  CHECK_THROWS_AS(Hockney({.latency = -1, .rate = 1}), Error);
  CHECK_THROWS_AS(Hockney({.latency = 0, .rate = 0}), Error);
  CHECK_THROWS_AS(Hockney({.latency = 0, .rate = 1, .longest_latency = -1}), Error);
  CHECK_THROWS_AS(Hockney({.latency = 0, .rate = 1, .memory_rate = -5}), Error);
}
