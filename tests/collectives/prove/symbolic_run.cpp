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
