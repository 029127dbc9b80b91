#include <algorithm>
#include <cmath>

#include <tombolo/platform/unsure_pairs.hpp>

namespace tombolo {

std::vector<HostPair> unsure_pairs(const Latencies& latencies, double bound) {
  constexpr double part = 0.25;  // two such errors, and as much again for luck, make a difference that counts
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
