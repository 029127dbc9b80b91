#include <numeric>

#include <catch2/catch.hpp>

#include <tombolo/platform/description/host_cores.hpp>

using namespace tombolo;

namespace {

Processor with_cores(int cores, int sharing) {
  Processor processor;
  processor.cores = cores;
  processor.ranks_sharing = sharing;
  return processor;
}

std::vector<Processor> alike(int ranks, int cores, int sharing) {
  return std::vector<Processor>(static_cast<std::size_t>(ranks), with_cores(cores, sharing));
}

std::vector<Rank> all(int ranks) {
  std::vector<Rank> found(static_cast<std::size_t>(ranks));
  std::iota(found.begin(), found.end(), 0);
  return found;
}

}  // namespace

TEST_CASE("ranks that may all use the same cores have these, and ranks with cores of their own have them all") {
  for (int ranks = 1; ranks <= 200; ++ranks) {
    for (int cores = 1; cores <= 130; ++cores) {
      CHECK(cores_of(alike(ranks, cores, ranks), all(ranks)) == cores);
      CHECK(cores_of(alike(ranks, cores, 1), all(ranks)) == ranks * cores);
    }
  }
}

TEST_CASE("bindings part the cores of a host, and a part of the ranks has its part of them") {
  CHECK(cores_of(alike(8, 1, 2), all(8)) == 4);
  CHECK(cores_of(alike(8, 2, 8), all(4)) == 1);
  CHECK(cores_of(alike(8, 2, 8), {0}) == 1);
  std::vector<Processor> mixed = alike(6, 1, 3);
  mixed[4] = mixed[5] = with_cores(2, 1);
  CHECK(cores_of(mixed, {0, 1, 2, 4, 5}) == 5);
}
