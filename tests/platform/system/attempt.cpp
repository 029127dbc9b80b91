#include <new>
#include <stdexcept>

#include <catch2/catch.hpp>

#include <tombolo/platform/system/attempt.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;

TEST_CASE("what succeeds has no words, whatever fails has some") {
  CHECK(attempt([] {}).empty());
  CHECK(attempt([] { throw Error("it broke", "mend it"); }) == "it broke; mend it");
  CHECK(attempt([] { throw std::runtime_error(""); }) == "failed without a reason");
  CHECK(attempt([] { throw 7; }) == "failed without a reason");
  CHECK(attempt([] { throw std::bad_alloc(); }) == "out of memory; take a smaller problem or more hosts");
}
