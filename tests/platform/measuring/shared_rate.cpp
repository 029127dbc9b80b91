#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/platform/measuring/shared_rate.hpp>

using namespace tombolo;

static_assert(slowed_each_other(100, 4, 350) && !slowed_each_other(100, 4, 370) && !slowed_each_other(100, 1, 100));

namespace {

constexpr Bytes each = 1'000'000;

// Messages over a link of such a rate, which gives unequal weights to them; none gets more than `alone`.
std::vector<FlowTime> unfair(const std::vector<double>& weights, double link, double alone) {
  std::vector<double> left(weights.size(), static_cast<double>(each));
  std::vector<FlowTime> flows(weights.size(), {.bytes = each, .time = 1, .alone = std::llround(alone)});
  const double step = static_cast<double>(each) / link / 100;
  std::size_t through = 0;
  for (int i = 1; through < left.size(); ++i) {
    double free = link * step;
    std::vector<double> got(left.size());
    for (int round = 0; round < 30 && free > 1e-6; ++round) {
      double all = 0;
      for (std::size_t f = 0; f < left.size(); ++f) {
        if (left[f] - got[f] > 0 && got[f] < alone * step) all += weights[f];
      }
      if (all <= 0) break;
      double spent = 0;
      for (std::size_t f = 0; f < left.size(); ++f) {
        if (left[f] - got[f] <= 0 || got[f] >= alone * step) continue;
        const double more = std::min({free * weights[f] / all, left[f] - got[f], alone * step - got[f]});
        got[f] += more;
        spent += more;
      }
      free -= spent;
    }
    for (std::size_t f = 0; f < left.size(); ++f) {
      if (left[f] <= 0) continue;
      left[f] -= got[f];
      if (left[f] > 1e-3) continue;
      left[f] = 0;
      flows[f].time = std::llround(i * step * 1e12);
      ++through;
    }
  }
  return flows;
}

}  // namespace

TEST_CASE("what a link carries is found however unfair it is") {
  std::mt19937_64 random(1);
  for (const std::size_t count : {1U, 2U, 3U, 7U, 22U, 32U}) {
    for (const double alone : {5e6, 2e6, 1e6}) {  // of a link of 5 MB/s
      std::vector<double> weights;
      for (std::size_t f = 0; f < count; ++f) weights.push_back(std::uniform_real_distribution<double>(1, 5)(random));
      const double truth = std::min(5e6, alone * static_cast<double>(count));
      const double found = static_cast<double>(shared_rate(unfair(weights, 5e6, alone)));
      CAPTURE(count, alone, found);
      CHECK(std::abs(found - truth) < 0.06 * truth);
    }
  }
}

TEST_CASE("messages that are in nobody's way get what each gets, equal or not") {
  for (const std::size_t count : {1U, 2U, 5U, 31U}) {
    std::vector<FlowTime> flows;
    BytesPerSecond sum = 0;
    for (std::size_t f = 0; f < count; ++f) {
      const auto rate = static_cast<BytesPerSecond>(1'000'000 * (f + 1));
      flows.push_back({.bytes = each, .time = transfer_time(each, rate), .alone = rate});
      sum += rate;
    }
    const double found = static_cast<double>(shared_rate(flows));
    CHECK(std::abs(found - static_cast<double>(sum)) < 1e-3 * static_cast<double>(sum));
  }
  CHECK(shared_rate({}) == 0);
}

TEST_CASE("sums go beyond 2^31 bytes, and what is known alone may be wrong") {
  const FlowTime large{.bytes = Bytes{1} << 40, .time = 1'000'000'000'000, .alone = 1};
  const std::vector<FlowTime> flows(3, large);
  CHECK(std::abs(static_cast<double>(shared_rate(flows)) - 3 * std::ldexp(1.0, 40)) < 10);
}

TEST_CASE("a cluster whose best links get the same, to clusters that get more elsewhere, has a way out of that rate") {
  // Rates by pair: 0-1, 0-2, 0-3, 1-2, 1-3, 2-3.
  const auto way_out = [](int cluster, const std::vector<BytesPerSecond>& rates) {
    return shared_way_out(cluster, rates, 4, 0.05);
  };
  const std::vector<BytesPerSecond> thin{10, 10, 8, 50, 8, 8};
  CHECK(way_out(0, thin) == 10);
  CHECK(way_out(1, thin) == 0);  // one link is the best
  CHECK(way_out(3, thin) == 8);
  CHECK(way_out(0, {10, 8, 8, 50, 8, 8}) == 0);       // links of unlike rates
  CHECK(way_out(0, {10, 10, 8, 10, 8, 8}) == 0);      // nobody gets more
  CHECK(way_out(0, {10, 10, 10, 10, 10, 50}) == 10);  // another's is as thin
  CHECK(way_out(0, {10, 0, 0, 50, 50, 50}) == 0);
  CHECK(way_out(0, {0, 0, 0, 0, 0, 0}) == 0);
}
