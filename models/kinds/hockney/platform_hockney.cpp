#include <algorithm>
#include <vector>

#include <tombolo/models/kinds/hockney/platform_hockney.hpp>
#include <tombolo/models/network/memory_rate.hpp>
#include <tombolo/platform/description/routes.hpp>
#include <tombolo/platform/measuring/sample.hpp>

namespace tombolo {

Hockney hockney_of(const Platform& platform) {
  const Routes routes(platform);
  const Rank ranks = platform.ranks();
  std::vector<std::int64_t> latencies;
  std::vector<std::int64_t> rates;
  const auto add = [&](Rank a, Rank b) {
    if (b >= ranks) return;
    const Processor& from = platform.processors[static_cast<std::size_t>(a)];
    const Processor& to = platform.processors[static_cast<std::size_t>(b)];
    latencies.push_back(from.send_overhead + routes.latency(a, b) + to.receive_overhead);
    if (routes.rate(a, b) > 0) rates.push_back(routes.rate(a, b));
  };
  for (Rank a = 0; a < ranks; ++a) {
    for (Rank distance = 1; distance < ranks; distance *= 2) {
      if ((a & distance) == 0) add(a, a ^ distance);
    }
    if (a % 2 == 1) add(a, a + 1);
  }
  Hockney::Parameters parameters;
  parameters.memory_rate = memory_rate_of(platform);
  parameters.latency = median_of(latencies).value;
  parameters.longest_latency = latencies.empty() ? 0 : *std::max_element(latencies.begin(), latencies.end());
  parameters.rate = rates.empty() ? parameters.memory_rate : median_of(rates).value;
  return Hockney(parameters);
}

}  // namespace tombolo
