#include <vector>

#include <tombolo/models/network/memory_rate.hpp>
#include <tombolo/platform/measuring/sample.hpp>

namespace tombolo {

namespace {

constexpr BytesPerSecond usual = 10'000'000'000;
// A simulation takes no time for local work, so that discovery finds no rate.
constexpr BytesPerSecond no_time = 1'000'000'000'000'000;

}  // namespace

BytesPerSecond memory_rate_of(const Platform& platform) {
  std::vector<std::int64_t> rates;
  for (const Host& host : platform.hosts) {
    if (host.memory.value > 0) rates.push_back(host.memory.value);
  }
  if (!rates.empty()) return median_of(rates).value;
  return platform.origin.simulated ? no_time : usual;
}

}  // namespace tombolo
