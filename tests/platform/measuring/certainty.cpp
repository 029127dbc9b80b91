#include <set>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/platform/description/routes.hpp>
#include <tombolo/platform/file/platform_check.hpp>
#include <tombolo/platform/measuring/certainty.hpp>

#include "platform/random_platform.hpp"

using namespace tombolo;
using Catch::Contains;

namespace {

// Two ranks on one host, with a core each.
Platform pair(Measured latency) {
  Platform platform;
  const Processor one{.host = "vm", .model = "", .cores = 2, .ranks_sharing = 2, .ranks_on_host = 2};
  platform.processors = {one, one};
  platform.hosts = {{.name = "vm"}};
  const auto of = [](Rank rank) {
    return Level{.kind = Level::Kind::rank, .name = "rank", .ranks = {rank}, .children = {}};
  };
  const Level host{.kind = Level::Kind::host,
                   .name = "vm",
                   .ranks = {0, 1},
                   .children = {of(0), of(1)},
                   .latency = latency,
                   .rate = {1'000'000, 2'000'000}};
  platform.levels = {.name = "all", .ranks = {0, 1}, .children = {host}};
  return platform;
}

}  // namespace

TEST_CASE("a latency is unsure that may be less by an order of magnitude") {
  CHECK(unsure_latency(pair({400'000, 0})).empty());
  CHECK(unsure_latency(pair({400'000, 200'000})).empty());
  CHECK(unsure_latency(pair({})).empty());
  CHECK(unsure_latency(pair({280'500, 1'032'000})).empty());  // of two ranks on an idle machine
  CHECK_THAT(unsure_latency(pair({6'000'000'000, 5'999'000'000})), Contains("6 ms give or take 5.999 ms inside vm"));
  CHECK_FALSE(unsure_latency(pair({400'000, 1'000'000'000})).empty());
}

TEST_CASE("milliseconds inside a host are unsure, however precise") {
  CHECK(unsure_latency(pair({900'000'000, 1'000'000})).empty());
  CHECK_THAT(unsure_latency(pair({5'981'000'000, 2'014'000'000})), Contains("5.981 ms"));
}

TEST_CASE("ranks that take turns make latencies long themselves") {
  Platform platform = pair({6'000'000'000, 5'999'000'000});
  for (Processor& processor : platform.processors) processor.cores = 1;
  CHECK(unsure_latency(platform).empty());
}

TEST_CASE("a network is another one where messages take a third of what they took, or between hosts much longer") {
  const Platform shared = pair({3'000'000'000, 0});
  CHECK(neighbours(shared) == std::vector<std::pair<Rank, Rank>>{{0, 1}});
  const auto changed = [](const Platform& platform, Picoseconds now) {
    return changed_latency(platform, neighbours(platform), std::vector<Measured>{{2 * now, 0}});
  };
  CHECK_THAT(changed(shared, 900'000'000), Contains("3 ms between ranks 0 and 1, where messages take 900 us"));
  CHECK(changed(shared, 1'000'000'000).empty());
  CHECK(changed(shared, 90'000'000'000).empty());  // they wait for a core
  CHECK(changed(pair({100'000'000, 0}), 0).empty());
}

TEST_CASE("every host and cluster is a neighbour of the next, and messages as described are no change") {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const Platform platform = RandomPlatform(seed).make(1 + static_cast<int>(seed % 23));
    const Routes routes(platform);
    std::vector<Measured> as_described;
    std::vector<Measured> much_longer;
    std::set<int> hosts;
    const std::vector<std::pair<Rank, Rank>> pairs = neighbours(platform);
    for (const auto& [a, b] : pairs) {
      as_described.push_back({2 * routes.latency(a, b), 0});
      much_longer.push_back({2 * (4 * routes.latency(a, b) + 5'000'000'000), 0});
      hosts.insert({routes.host_of(a), routes.host_of(b)});
    }
    const bool alone = platform.hosts.size() == 1;
    CHECK((alone || hosts.size() == platform.hosts.size()));
    CHECK(as_described.size() <= 2 * platform.hosts.size());
    CHECK(changed_latency(platform, pairs, as_described).empty());
    CHECK(changed_latency(platform, pairs, much_longer).empty() == alone);
  }
}

TEST_CASE("at best latencies are shorter, rates higher, and nothing else is other") {
  const Platform best = at_best(pair({5'000, 3'000}));
  Platform expected = pair({2'000, 0});
  expected.levels.children[0].rate = {3'000'000, 0};
  CHECK(best == expected);
  CHECK(at_best(pair({5'000, 8'000})).levels.children[0].latency == Measured{0, 0});
}

TEST_CASE("any platform at its best is sound and without errors, and one without errors is as it was") {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const Platform platform = RandomPlatform(seed).make(1 + static_cast<int>(seed % 23));
    const Platform best = at_best(platform);
    CHECK_NOTHROW(check_platform(best));
    CHECK_FALSE(has_errors(best));
    CHECK(at_best(best) == best);
    if (!has_errors(platform)) CHECK(best == platform);
  }
}
