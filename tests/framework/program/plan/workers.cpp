#include <algorithm>

#include <catch2/catch.hpp>

#include <tombolo/framework/program/plan/workers.hpp>

#include "framework/program/programs.hpp"

using namespace tombolo;
using namespace tombolo::test;

TEST_CASE("parts of the ranks are ascending, smaller than all, and have the roots") {
  std::mt19937 random(1);
  for (int ranks = 1; ranks <= 23; ++ranks) {
    Workers workers{{}, {{}}};
    std::vector<std::int64_t> speeds;
    for (Rank rank = 0; rank < ranks; ++rank) {
      speeds.push_back(static_cast<std::int64_t>(1 + random() % 9) * 1'000'000);
      if (random() % 4 == 0 && !workers.clusters.back().empty()) workers.clusters.emplace_back();
      workers.clusters.back().push_back(rank);
    }
    workers.speeds = gemm_speeds(speeds);
    CHECK(ranks_of(workers) == ranks);
    const Rank root = static_cast<Rank>(random() % static_cast<unsigned>(ranks));
    const auto sets = member_sets(product(100, 10, 10, root), workers);
    CHECK(sets.empty() == (ranks == 1));
    CHECK(sets.contains({root}) == (ranks > 1));
    for (const std::vector<Rank>& members : sets) {
      CHECK(members.size() < static_cast<std::size_t>(ranks));
      CHECK(std::is_sorted(members.begin(), members.end()));
      CHECK(std::count(members.begin(), members.end(), root) == 1);
    }
  }
}
