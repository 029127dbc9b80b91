#include <algorithm>
#include <limits>
#include <utility>

#include <tombolo/platform/clustering/noise_floor.hpp>

namespace tombolo::clustering {

namespace {

// The noise of most figures, not of half of them: what is left would still make clusters of its own.
constexpr double most = 0.75;

std::int64_t of_most(std::vector<std::int64_t> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(most * static_cast<double>(values.size()));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

Picoseconds noise_floor(const Latencies& latencies, const std::vector<int>& hosts, double bound) {
  std::vector<std::int64_t> of_hosts;
  std::vector<std::int64_t> errors;
  for (const int host : hosts) {
    Picoseconds shortest = std::numeric_limits<Picoseconds>::max();
    for (const int other : hosts) {
      if (const auto found = latencies.between(host, other)) shortest = std::min(shortest, found->value);
    }
    const double as_short = (1 + bound) * static_cast<double>(shortest) + static_cast<double>(latencies.overhead());
    errors.clear();
    for (const int other : hosts) {
      const auto found = latencies.between(host, other);
      if (found && static_cast<double>(found->value - found->error) <= as_short) errors.push_back(found->error);
    }
    if (!errors.empty()) of_hosts.push_back(of_most(errors));
  }
  return of_hosts.empty() ? 0 : 2 * of_most(std::move(of_hosts));
}

}  // namespace tombolo::clustering
