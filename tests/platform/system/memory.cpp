#include <cstddef>
#include <limits>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/platform/system/memory.hpp>

#include "support/sanitized.hpp"

using namespace tombolo;

TEST_CASE("what a process takes is read from its status") {
  CHECK(bytes_in_status("VmPeak:\t 9 kB\nVmHWM:\t  3 kB\nVmRSS:\t 2 kB\n", "VmHWM") == Bytes{3} * 1024);
  CHECK_FALSE(bytes_in_status("VmRSS:\t 2 kB\n", "VmHWM"));
  CHECK_FALSE(bytes_in_status("VmHWM:\t much\n", "VmHWM"));
  const std::vector<char> taken(10'000'000, '1');
  CHECK(resident_memory() >= 10'000'000);
  CHECK(peak_memory() >= resident_memory());
}

TEST_CASE("freed memory returns to the system where it is told to") {
  if (test::sanitized()) return;  // its allocator keeps what is freed
  constexpr std::size_t mega = 1 << 20;
  return_freed_memory();
  { const std::vector<char> large(30 * mega, '1'); }  // up to whose size glibc would keep blocks from now on
  std::vector<std::vector<char>> blocks(64);
  for (std::vector<char>& block : blocks) block.assign(mega, '1');
  const Bytes taken = resident_memory();
  for (std::size_t i = 0; i < blocks.size(); i += 2) std::vector<char>().swap(blocks[i]);
  CHECK(resident_memory() <= taken - 28 * Bytes{mega});
}

TEST_CASE("what is available is read from meminfo") {
  CHECK(available_in_meminfo("MemTotal:  100 kB\nMemAvailable:     70 kB\n") == Bytes{70} * 1024);
  CHECK(available_in_meminfo("MemTotal:  100 kB\n") == std::numeric_limits<Bytes>::max());
  CHECK(available_in_meminfo("MemAvailable: much\n") == std::numeric_limits<Bytes>::max());
  CHECK(available_memory() > 0);
}
