#include "support/agree.hpp"

#include <new>
#include <string>

#include <catch2/catch.hpp>

#include <tombolo/collectives.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;
using test::agreed;

namespace {

int rank_in_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int ranks_in_world() {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

std::string words_of(const std::function<void()>& work) {
  try {
    agree(MPI_COMM_WORLD, work);
  } catch (const AgreedError& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("what succeeds everywhere returns everywhere") {
  CHECK(agreed(words_of([] {}) == "nothing"));
}

TEST_CASE("what fails on some ranks fails on all, in the words of the lowest") {
  const int rank = rank_in_world();
  const int last = ranks_in_world() - 1;
  const std::string one = words_of([&] {
    if (rank == last) throw Error("rank fell over", "pick it up");
  });
  CHECK(agreed(one == "rank fell over; pick it up"));
  const std::string several = words_of([&] {
    if (rank >= last / 2) throw Error("rank " + std::to_string(rank), "none");
  });
  CHECK(agreed(several == "rank " + std::to_string(last / 2) + "; none"));
  const std::string memory = words_of([&] {
    if (rank == 0) throw std::bad_alloc();
  });
  CHECK(agreed(memory.find("out of memory") != std::string::npos));
  CHECK(agreed(words_of([] { throw std::runtime_error(""); }) != "nothing"));
  CHECK(agreed(words_of([] {}) == "nothing"));  // and nobody is out of step afterwards
}

TEST_CASE("one rank works alone, and all go on after it") {
  int worked = 0;
  const int chosen = ranks_in_world() - 1;
  alone_on(MPI_COMM_WORLD, chosen, [&worked] { ++worked; });
  CHECK(agreed(worked == (rank_in_world() == chosen ? 1 : 0)));
}
