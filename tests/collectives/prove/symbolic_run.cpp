#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include <catch2/catch.hpp>

#include <tombolo/collectives/prove/symbolic_run.hpp>

using namespace tombolo;

namespace {

RankSet ranges_of(const std::set<Rank>& ranks) {
  RankSet result;
  for (const Rank rank : ranks) {
    if (!result.empty() && result.back().last == rank - 1) {
      result.back().last = rank;
    } else {
      result.push_back({rank, rank});
    }
  }
  return result;
}

}  // namespace

TEST_CASE("a union of ranges is the union of their ranks") {
  std::mt19937 random(9);
  for (int trial = 0; trial < 2000; ++trial) {
    std::set<Rank> a;
    std::set<Rank> b;
    for (Rank rank = 0; rank < 24; ++rank) {
      if (random() % 3 == 0) a.insert(rank);
      if (random() % 3 == 0) b.insert(rank);
    }
    std::set<Rank> both = a;
    both.insert(b.begin(), b.end());
    const Union united = unite(ranges_of(a), ranges_of(b));
    CHECK(united.ranks == ranges_of(both));
    CHECK(united.overlapped == (both.size() < a.size() + b.size()));
  }
}

TEST_CASE("memory that continues is one interval, however it was written") {
  const Symbol first{40, {{2, 5}}};
  std::mt19937 random(4);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::int64_t> parts(20);
    std::iota(parts.begin(), parts.end(), 0);
    std::ranges::shuffle(parts, random);
    SymbolicMemory memory;
    for (const std::int64_t part : parts) memory.write({Buffer::scratch, 3 * part, 3}, advanced(first, 3 * part));
    const BufferRange all{Buffer::scratch, 0, 60};
    const std::vector<SymbolRun> found = memory.read({&all, 1});
    REQUIRE(found.size() == 1);
    CHECK(found.front().count == 60);
    CHECK(found.front().first == first);
    // What is written between stays apart where it differs.
    memory.write({Buffer::scratch, 10, 2}, {50, {{2, 4}}});
    CHECK(memory.read({&all, 1}).size() == 3);
    memory.write({Buffer::scratch, 10, 2}, advanced(first, 10));
    CHECK(memory.read({&all, 1}).size() == 1);
  }
}
