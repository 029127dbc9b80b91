#include <array>
#include <string>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/platform/mpi/of_all_ranks.hpp>
#include <tombolo/platform/mpi/text_from.hpp>

#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

namespace {

struct Mixed {
  char letter;
  std::int64_t number;
  std::array<double, 3> reals;
};

class World {
 public:
  World() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
  int rank = 0;
  int ranks = 1;
};

}  // namespace

TEST_CASE("what every rank brings is on all ranks, by rank") {
  const World world;
  const auto make = [](int rank) {
    return Mixed{static_cast<char>('a' + rank % 26), std::int64_t{1} << (rank % 60), {rank / 7.0, -rank * 1e300, 0}};
  };
  const auto all = of_all_ranks(MPI_COMM_WORLD, make(world.rank));
  bool right = all.size() == static_cast<std::size_t>(world.ranks);
  for (int rank = 0; right && rank < world.ranks; ++rank) {
    const Mixed expected = make(rank);
    const Mixed& got = all[static_cast<std::size_t>(rank)];
    right = got.letter == expected.letter && got.number == expected.number && got.reals == expected.reals;
  }
  CHECK(agreed(right));
}

TEST_CASE("of the ranks of a part of them, too") {
  const World world;
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world.rank % 3, -world.rank, &part);
  std::vector<int> expected;
  for (int rank = world.ranks - 1; rank >= 0; --rank) {
    if (rank % 3 == world.rank % 3) expected.push_back(rank);
  }
  const bool right = of_all_ranks(part, world.rank) == expected;
  MPI_Comm_free(&part);
  CHECK(agreed(right));
}

TEST_CASE("what rank 0 brings is on all ranks") {
  const World world;
  CHECK(agreed(of_rank_0(MPI_COMM_WORLD, world.rank + 0.5) == 0.5));
}

TEST_CASE("a text of one rank is on all") {
  const World world;
  std::string large(300'000, 'x');
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i % 251);
  for (const std::string& text :
       {std::string(), std::string("a\0b", 3), large.substr(0, 1016), large.substr(0, 1017), large}) {
    for (const int root : {0, world.ranks / 2, world.ranks - 1}) {
      const std::string mine = world.rank == root ? text : "what the others have does not matter";
      CHECK(agreed(text_from(MPI_COMM_WORLD, root, mine) == text));
    }
  }
}
