#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/platform/description/routes.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/units.hpp>

#include "platform/descriptions.hpp"
#include "platform/random_platform.hpp"

using namespace tombolo;

TEST_CASE("a message takes latency + bytes / rate, rounded up to a picosecond") {
  const Hockney model({.latency = 50'000'000, .rate = 125'000'000});
  CHECK(model.time(0) == 50'000'000);
  CHECK(model.time(125'000'000) == 50'000'000 + picoseconds_per_second);
  CHECK(model.time(1) == 50'000'000 + 8'000);
  const Hockney odd({.latency = 0, .rate = 3});
  CHECK(odd.time(1) == 333'333'333'334);
  CHECK(odd.time(2) == 666'666'666'667);
}

TEST_CASE("both ports are busy for the whole message, whoever the two are") {
  const Hockney model({.latency = 7, .rate = 1'000'000'000, .memory_rate = 2'000'000'000});
  for (const Bytes bytes : {0, 1, 1000}) {
    const MessageCost cost = model.message(3, 5, bytes);
    CHECK(cost.send == model.time(bytes));
    CHECK(cost.receive == model.time(bytes));
    CHECK(cost.transit == 0);
    CHECK(model.local(bytes) == bytes * 500);
  }
}

TEST_CASE("sizes beyond 2^31 do not overflow, and what takes longer than a clock can say stays at its end") {
  const Hockney model({.latency = 1, .rate = 1'000'000'000});
  CHECK(model.time(Bytes{1} << 40) == 1 + (Bytes{1} << 40) * 1000);
  const Hockney slow({.latency = 1, .rate = 1});
  CHECK(slow.time(std::numeric_limits<Bytes>::max()) == never);
}

TEST_CASE("parameters that no network has are refused") {
  CHECK_THROWS_AS(Hockney({.latency = -1, .rate = 1}), Error);
  CHECK_THROWS_AS(Hockney({.latency = 0, .rate = 0}), Error);
  CHECK_THROWS_AS(Hockney({.latency = 0, .rate = 1, .longest_latency = -1}), Error);
  CHECK_THROWS_AS(Hockney({.latency = 0, .rate = 1, .memory_rate = -5}), Error);
}

namespace {

constexpr BytesPerSecond usual_memory = Hockney::Parameters{}.memory_rate;
// Where a platform is simulated, nothing was measured because local work takes no time.
constexpr BytesPerSecond no_time = 1'000'000'000'000'000;

// The same from its definition: which pairs count is a question about each, and figures are sorted.
Hockney::Parameters plain(const Platform& platform) {
  const Routes routes(platform);
  std::vector<std::int64_t> latencies;
  std::vector<std::int64_t> rates;
  for (Rank a = 0; a < platform.ranks(); ++a) {
    for (Rank b = a + 1; b < platform.ranks(); ++b) {
      if (b != a + 1 && !std::has_single_bit(static_cast<unsigned>(a) ^ static_cast<unsigned>(b))) continue;
      const Processor& sender = platform.processors[static_cast<std::size_t>(a)];
      const Processor& receiver = platform.processors[static_cast<std::size_t>(b)];
      const bool apart = routes.host_of(a) != routes.host_of(b);  // inside a host a latency has the overheads in it
      latencies.push_back(routes.latency(a, b) + (apart ? sender.send_overhead + receiver.receive_overhead : 0));
      rates.push_back(routes.rate(a, b));
    }
  }
  std::vector<std::int64_t> memories;
  for (const Host& host : platform.hosts) memories.push_back(host.memory.value);
  const auto median = [](std::vector<std::int64_t> figures, std::int64_t otherwise) {
    std::erase_if(figures, [](std::int64_t figure) { return figure <= 0; });
    std::sort(figures.begin(), figures.end());
    return figures.empty() ? otherwise : figures[figures.size() / 2];
  };
  Hockney::Parameters expected;
  expected.memory_rate = median(memories, platform.origin.simulated ? no_time : usual_memory);
  expected.rate = median(rates, expected.memory_rate);
  std::sort(latencies.begin(), latencies.end());
  if (!latencies.empty()) expected.latency = latencies[latencies.size() / 2];
  if (!latencies.empty()) expected.longest_latency = latencies.back();
  return expected;
}

}  // namespace

TEST_CASE("where all hosts are alike, the model is what any two of them have") {
  const Platform platform = described("uniform64");
  const Hockney::Parameters model = hockney_of(platform).parameters();
  CHECK(model.latency == 4'000'000);  // 2 us at each end
  CHECK(model.longest_latency == 4'000'000);
  CHECK(model.rate == 1'250'000'000);
  CHECK(model.memory_rate == no_time);  // of which a description says nothing
}

TEST_CASE("processors' overheads are a part of the latency") {
  Platform platform = described("uniform64");
  for (Processor& processor : platform.processors) {
    processor.send_overhead = 1'000'000;
    processor.receive_overhead = 500'000;
  }
  CHECK(hockney_of(platform).parameters().latency == 5'500'000);
}

TEST_CASE("medians are over ranks a power of two apart and over neighbours") {
  for (const std::string& name : described_platforms()) {
    INFO(name);
    const Platform platform = described(name);
    CHECK(hockney_of(platform).parameters() == plain(platform));
  }
  for (unsigned seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    const Platform platform = RandomPlatform(seed).make(1 + static_cast<int>(seed % 40));
    CHECK(hockney_of(platform).parameters() == plain(platform));
  }
}

TEST_CASE("one rank alone, and rates that nobody measured") {
  Platform platform = RandomPlatform(1).make(1);
  platform.origin.simulated = false;
  platform.hosts.front().memory = {};
  CHECK(hockney_of(platform).parameters() ==
        Hockney::Parameters{.latency = 0, .rate = usual_memory, .memory_rate = usual_memory, .longest_latency = 0});
  platform.hosts.front().memory = {7'000'000'000, 0};
  CHECK(hockney_of(platform).parameters().memory_rate == 7'000'000'000);
  CHECK(hockney_of(platform).parameters().rate == 7'000'000'000);
}
