#include <limits>

#include <catch2/catch.hpp>

#include <tombolo/platform/memory.hpp>

using namespace tombolo;

TEST_CASE("what is available is read from meminfo") {
  CHECK(available_in_meminfo("MemTotal:  100 kB\nMemAvailable:     70 kB\n") == Bytes{70} * 1024);
  CHECK(available_in_meminfo("MemTotal:  100 kB\n") == std::numeric_limits<Bytes>::max());
  CHECK(available_in_meminfo("MemAvailable: much\n") == std::numeric_limits<Bytes>::max());
  CHECK(available_memory() > 0);
}
