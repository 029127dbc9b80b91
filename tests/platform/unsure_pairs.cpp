#include <catch2/catch.hpp>

#include <tombolo/platform/unsure_pairs.hpp>

using namespace tombolo;

namespace {

constexpr Picoseconds us = 1'000'000;

Latencies all_alike(int hosts, Measured one) {
  Latencies latencies(hosts);
  for (int a = 0; a < hosts; ++a) {
    for (int b = a + 1; b < hosts; ++b) latencies.set(a, b, one);
  }
  return latencies;
}

}  // namespace

TEST_CASE("pairs are unsure whose error is more than a quarter of what may differ") {
  for (const int hosts : {0, 1, 2, 3, 8, 17}) {
    const auto pairs = static_cast<std::size_t>(hosts * (hosts - 1) / 2);
    CHECK(unsure_pairs(all_alike(hosts, {.value = 50 * us, .error = 0}), 0.2).empty());
    CHECK(unsure_pairs(all_alike(hosts, {.value = 50 * us, .error = 2 * us}), 0.2).empty());
    CHECK(unsure_pairs(all_alike(hosts, {.value = 50 * us, .error = 3 * us}), 0.2).size() == pairs);
    // The same error of a long link is nothing.
    CHECK(unsure_pairs(all_alike(hosts, {.value = 5000 * us, .error = 60 * us}), 0.2).empty());
    Latencies slow_processors = all_alike(hosts, {.value = 0, .error = 3 * us});
    slow_processors.set_overhead(13 * us);
    CHECK(unsure_pairs(slow_processors, 0.2).empty());
  }
  Latencies one(4);
  one.set(3, 1, {.value = 10 * us, .error = 10 * us});
  CHECK(unsure_pairs(one, 0.2) == std::vector<HostPair>{{1, 3}});
}

TEST_CASE("as many lanes as the time takes, no more than pairs can be disjoint") {
  for (const int hosts : {2, 3, 8, 21, 88}) {
    const Latencies latencies = all_alike(hosts, {.value = 100 * us, .error = 0});
    const std::vector<HostPair> pairs = unsure_pairs(all_alike(hosts, {.value = us, .error = us}), 0.2);
    constexpr Picoseconds meeting = 1000 * us;
    const auto one_after_the_other = static_cast<Picoseconds>(pairs.size()) * (10 * 200 * us + meeting);
    CHECK(least_lanes(latencies, pairs, 10, meeting, one_after_the_other) == 1);
    CHECK(least_lanes(latencies, pairs, 10, meeting, one_after_the_other * 2) == 1);
    CHECK(least_lanes(latencies, pairs, 10, meeting, 1) == hosts / 2);
    if (hosts >= 8) CHECK(least_lanes(latencies, pairs, 10, meeting, one_after_the_other / 2) == 2);
  }
  CHECK(least_lanes(Latencies(0), {}, 10, us, us) == 1);
}
