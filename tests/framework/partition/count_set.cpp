#include <random>
#include <set>

#include <catch2/catch.hpp>

#include <tombolo/framework/partition/count_set.hpp>

using namespace tombolo;

namespace {

CountSet some_set(std::mt19937_64& random) {
  std::vector<CountSet::Interval> intervals{{0, 0}};
  for (auto parts = random() % 5; parts > 0; --parts) {
    const auto first = static_cast<std::int64_t>(random() % 30);
    intervals.push_back({first, first + static_cast<std::int64_t>(random() % 6)});
  }
  return CountSet(std::move(intervals));
}

std::set<std::int64_t> members(const CountSet& set) {
  std::set<std::int64_t> found;
  for (const auto [first, last] : set.intervals()) {
    for (std::int64_t count = first; count <= last; ++count) found.insert(count);
  }
  return found;
}

}  // namespace

TEST_CASE("sets of counts keep their members in the fewest intervals") {
  const CountSet set({{4, 6}, {0, 0}, {7, 9}, {5, 5}});
  CHECK(set.intervals() == std::vector<CountSet::Interval>{{0, 0}, {4, 9}});
  CHECK(set.largest() == 9);
  CHECK((set.contains(0) && !set.contains(1) && !set.contains(3) && set.contains(4) && set.contains(9)));
  CHECK_FALSE(set.contains(10));
}

TEST_CASE("sums of sets of counts are the sums of their members") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 500; ++round) {
    const CountSet a = some_set(random);
    const CountSet b = some_set(random);
    const auto n = static_cast<std::int64_t>(random() % 60);
    std::set<std::int64_t> sums;
    for (const std::int64_t x : members(a)) {
      for (const std::int64_t y : members(b)) {
        if (x + y <= n) sums.insert(x + y);
      }
    }
    REQUIRE(members(a.plus(b, n)) == sums);
    const auto wanted = static_cast<std::int64_t>(random() % 40);
    std::int64_t best = -1;
    for (const std::int64_t x : members(a)) {
      if (b.contains(n - x) && (best < 0 || std::abs(x - wanted) < std::abs(best - wanted))) best = x;
    }
    REQUIRE(a.nearest(wanted, b, n) == best);
  }
}

TEST_CASE("a set of very many intervals keeps the longest") {
  std::vector<CountSet::Interval> intervals;
  for (std::int64_t i = 0; i < 5000; ++i) intervals.push_back({100 * i, 100 * i + (i % 5 == 0 ? 50 : 1)});
  const CountSet set(intervals);
  CHECK(set.intervals().size() == CountSet::most_intervals);
  for (std::int64_t i = 0; i < 5000; ++i) REQUIRE(set.contains(100 * i) == (i % 5 == 0));
}
