#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

#include <tombolo/platform/clustering/latencies.hpp>

namespace tombolo {

Latencies::Latencies(int hosts)
    : hosts_(hosts),
      pairs_(static_cast<std::size_t>(hosts) * static_cast<std::size_t>(hosts), Measured{.value = -1, .error = 0}) {}

std::size_t Latencies::index(int a, int b) const {
  return static_cast<std::size_t>(std::min(a, b)) * static_cast<std::size_t>(hosts_) +
         static_cast<std::size_t>(std::max(a, b));
}

void Latencies::set(int a, int b, Measured latency) {
  pairs_[index(a, b)] = latency;
}

std::optional<Measured> Latencies::between(int a, int b) const {
  const Measured& found = pairs_[index(a, b)];
  if (a == b || found.value < 0) return std::nullopt;
  return found;
}

}  // namespace tombolo

namespace tombolo::clustering {

namespace {

// A quantile above the median: with the noise of half the figures, the noisier hosts would become clusters of their
// own.
constexpr double most = 0.75;

// No latency that is so many times as long as another one equals it, however uncertain it is.
constexpr double certainly_longer = 10;

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
      if (!found || static_cast<double>(found->value) > certainly_longer * as_short) continue;
      if (static_cast<double>(found->value - found->error) <= as_short) errors.push_back(found->error);
    }
    if (!errors.empty()) of_hosts.push_back(of_most(errors));
  }
  return of_hosts.empty() ? 0 : 2 * of_most(std::move(of_hosts));
}

namespace {

struct Pair {
  double doubt;  // the error relative to the allowed difference
  std::size_t i;
  std::size_t j;
};

}  // namespace

std::vector<bool> doubtful_pairs(const Latencies& latencies, const std::vector<int>& hosts, double bound,
                                 Picoseconds usual) {
  const std::size_t count = hosts.size();
  std::vector<Pair> pairs;
  std::vector<std::size_t> partners(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      const auto found = latencies.between(hosts[i], hosts[j]);
      if (!found) continue;
      ++partners[i];
      ++partners[j];
      const double alike = bound * static_cast<double>(found->value) + static_cast<double>(usual);
      const auto error = static_cast<double>(found->error);
      if (error > alike) pairs.push_back({error / std::max(alike, 1.0), i, j});
    }
  }
  std::vector<std::size_t> least;
  for (const std::size_t of_host : partners) least.push_back((of_host + 1) / 2);
  std::ranges::sort(pairs, std::greater<>(), [](const Pair& pair) { return std::tuple(pair.doubt, pair.i, pair.j); });
  std::vector<bool> doubtful(count * count);
  for (const Pair& pair : pairs) {
    if (partners[pair.i] <= least[pair.i] || partners[pair.j] <= least[pair.j]) continue;
    --partners[pair.i];
    --partners[pair.j];
    doubtful[pair.i * count + pair.j] = doubtful[pair.j * count + pair.i] = true;
  }
  return doubtful;
}

}  // namespace tombolo::clustering

namespace tombolo {

std::vector<HostPair> unsure_pairs(const Latencies& latencies, double bound) {
  constexpr double part = 0.25;  // two such errors, with a safety factor of two, make a difference that counts
  std::vector<HostPair> unsure;
  for (int a = 0; a < latencies.hosts(); ++a) {
    for (int b = a + 1; b < latencies.hosts(); ++b) {
      const auto found = latencies.between(a, b);
      if (!found) continue;
      const double counts = bound * static_cast<double>(found->value) + static_cast<double>(latencies.overhead());
      if (static_cast<double>(found->error) > part * counts) unsure.emplace_back(a, b);
    }
  }
  return unsure;
}

bool were_disturbed(const Latencies& latencies) {
  constexpr int few = 10;  // one of so many
  int measured = 0;
  int disturbed = 0;
  for (int a = 0; a < latencies.hosts(); ++a) {
    for (int b = a + 1; b < latencies.hosts(); ++b) {
      const auto found = latencies.between(a, b);
      if (!found) continue;
      ++measured;
      if (found->error > found->value + latencies.overhead()) ++disturbed;
    }
  }
  return disturbed * few > measured;
}

int least_lanes(const Latencies& latencies, const std::vector<HostPair>& pairs, int repetitions, Picoseconds meeting,
                Picoseconds time) {
  double all = 0;
  for (const auto& [a, b] : pairs) {
    const Measured found = latencies.between(a, b).value_or(Measured{});
    const auto one_way = static_cast<double>(found.value + found.error + 2 * latencies.overhead());
    all += 2 * one_way * repetitions + static_cast<double>(meeting);
  }
  const int most = std::max(1, latencies.hosts() / 2);
  const double lanes = std::ceil(all / static_cast<double>(std::max<Picoseconds>(time, 1)));
  return static_cast<int>(std::clamp(lanes, 1.0, static_cast<double>(most)));
}

}  // namespace tombolo
