#include <catch2/catch.hpp>

#include <tombolo/framework/program/adapt/belied_speed.hpp>

using namespace tombolo;

namespace {

// So many times as long as was expected of a speed of 1e9.
KernelWork slower(double factor, double seconds = 1) {
  return {.operations = seconds / factor * 1e9, .seconds = seconds, .speed = 1e9};
}

}  // namespace

TEST_CASE("a run belies speeds that are off by more than a factor, in either direction") {
  CHECK_FALSE(belied_speed({}));
  CHECK_FALSE(belied_speed(std::vector{slower(1), slower(1.49), slower(0.68)}));
  const auto slow = belied_speed(std::vector{slower(1), slower(1.6), slower(1)});
  REQUIRE(slow);
  CHECK(slow->rank == 1);
  CHECK(slow->factor == Approx(1.6));
  const auto fast = belied_speed(std::vector{slower(1.6), slower(1), slower(0.25)});
  REQUIRE(fast);
  CHECK(fast->rank == 2);
  CHECK(fast->factor == Approx(0.25));
  CHECK_FALSE(belied_speed(std::vector{slower(1.6)}, 2));
  CHECK(belied_speed(std::vector{slower(1.2)}, 1.1));
}

TEST_CASE("ranks that did next to nothing say nothing of their speed") {
  const KernelWork nothing;
  const KernelWork no_speed{.operations = 1e9, .seconds = 5};
  const KernelWork no_operations{.seconds = 5, .speed = 1e9};
  CHECK_FALSE(belied_speed(std::vector{nothing, no_speed, no_operations, slower(9, 0.005)}));
  CHECK(belied_speed(std::vector{nothing, slower(9, 0.02)})->rank == 1);
}
