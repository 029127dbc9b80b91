#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/platform/measuring/host_rates.hpp>
#include <tombolo/platform/measuring/rounds.hpp>

using namespace tombolo;

namespace {

constexpr double bound = 0.2;
constexpr std::size_t most = 4;

PairRate met(int a, int b, BytesPerSecond rate) {
  return {.a = a, .b = b, .rate = {.value = rate, .error = 0}, .fixed = 0};
}

// Rounds of pairs of hosts that can do this, each of which gets what the slower one can.
std::vector<PairRate> rounds_of(const std::vector<BytesPerSecond>& hosts, std::size_t rounds) {
  std::vector<PairRate> pairs;
  for (int a = 0; a < std::ssize(hosts); ++a) {
    const std::vector<int> partners = tournament(a, static_cast<int>(hosts.size()));
    for (std::size_t round = 0; round < std::min(rounds, partners.size()); ++round) {
      const int b = partners[round];
      if (b <= a) continue;
      pairs.push_back(met(a, b, std::min(hosts[static_cast<std::size_t>(a)], hosts[static_cast<std::size_t>(b)])));
    }
  }
  return pairs;
}

// What each host got at best.
std::vector<BytesPerSecond> best_of(const std::vector<PairRate>& pairs, std::size_t hosts) {
  std::vector<BytesPerSecond> best(hosts);
  for (const PairRate& pair : pairs) {
    for (const int host : {pair.a, pair.b}) {
      best[static_cast<std::size_t>(host)] = std::max(best[static_cast<std::size_t>(host)], pair.rate.value);
    }
  }
  return best;
}

}  // namespace

TEST_CASE("a host that only met slow ones meets a fast one") {
  // 0 and 1 can 100, 2 can 20, 3 only met 2.
  const std::vector<PairRate> pairs = {met(0, 1, 100), met(2, 3, 20)};
  const auto found = pairs_that_tell(pairs, bound, most);
  CHECK(found == std::vector<std::pair<int, int>>{{2, 0}, {3, 1}});
  // That 2 is slow is known once it has met a fast one, but not what 3 can.
  std::vector<PairRate> more = pairs;
  more.push_back(met(0, 2, 20));
  CHECK(pairs_that_tell(more, bound, most) == std::vector<std::pair<int, int>>{{3, 0}});
  more.push_back(met(1, 3, 95));
  CHECK(pairs_that_tell(more, bound, most).empty());
}

TEST_CASE("hosts that are alike need no more, nor those without partners") {
  CHECK(pairs_that_tell({}, bound, most).empty());
  CHECK(pairs_that_tell({met(4, 7, 50)}, bound, most).empty());
  for (const std::size_t count : {2U, 5U, 16U}) {
    CHECK(pairs_that_tell(rounds_of(std::vector<BytesPerSecond>(count, 1000), 2), bound, most).empty());
  }
}

TEST_CASE("hosts that are measured with a fast one are known, as many as fast ones have time for") {
  std::mt19937 random(1);
  for (int draw = 0; draw < 300; ++draw) {
    std::vector<BytesPerSecond> hosts(2 + random() % 30);
    for (BytesPerSecond& host : hosts) host = BytesPerSecond{1} << (10 + random() % 5);
    std::vector<PairRate> pairs = rounds_of(hosts, 2);
    const BytesPerSecond highest = std::ranges::max(best_of(pairs, hosts.size()));
    const auto found = pairs_that_tell(pairs, bound, most);
    std::set<int> asked;
    std::map<int, std::size_t> answers;
    for (const auto& [host, fast] : found) {
      CHECK(asked.insert(host).second);
      CHECK(++answers[fast] <= most);
      pairs.push_back(
          met(host, fast, std::min(hosts[static_cast<std::size_t>(host)], hosts[static_cast<std::size_t>(fast)])));
    }
    for (const auto& [fast, times] : answers) CHECK(!asked.contains(fast));
    const std::vector<BytesPerSecond> best = best_of(pairs, hosts.size());
    for (const int host : asked) {
      const auto at = static_cast<std::size_t>(host);
      CHECK((best[at] == hosts[at] || best[at] >= highest));
    }
  }
}
