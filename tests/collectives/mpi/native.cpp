// Native collectives where MPI libraries have defects.

#include <algorithm>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/collectives/mpi/native.hpp>

#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

// MPICH before 4.1.3 does not where rank 0 is alone on its host: tests/CMakeLists.txt runs this on hosts of that kind.
TEST_CASE("a native reduction adds the vectors of all ranks, short and long, for every root, in place and not") {
  NativeCollectives native(MPI_COMM_WORLD);
  const Rank me = native.rank();
  const int ranks = native.ranks();
  const std::int64_t sum = (std::int64_t{1} << ranks) - 1;
  for (const std::int64_t count : {1, 256, 257, 5000}) {
    for (Rank root = 0; root < ranks; ++root) {
      const std::vector<std::int64_t> mine(static_cast<std::size_t>(count), std::int64_t{1} << me);
      std::vector<std::int64_t> result(mine.size(), -1);
      native.reduce(mine.data(), result.data(), count, MPI_INT64_T, MPI_SUM, root);
      std::vector<std::int64_t> in_place = mine;
      native.reduce(me == root ? MPI_IN_PLACE : static_cast<const void*>(mine.data()), in_place.data(), count,
                    MPI_INT64_T, MPI_SUM, root);
      const std::vector<std::int64_t> expected(mine.size(), sum);
      const bool good = me != root || (result == expected && in_place == expected);
      INFO("root " << root << ", " << count << " elements");
      CHECK(agreed(good));
    }
  }
}
