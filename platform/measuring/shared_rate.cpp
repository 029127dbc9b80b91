#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/platform/measuring/shared_rate.hpp>

namespace tombolo {

namespace {

// A time interval in which no message ended.
struct Stretch {
  double seconds;
  double alone;  // total rate alone of the messages in transit
};

std::vector<Stretch> stretches(std::vector<FlowTime> flows) {
  std::ranges::sort(flows, {}, &FlowTime::time);
  double alone = 0;
  for (const FlowTime& flow : flows) alone += static_cast<double>(flow.alone);
  std::vector<Stretch> found;
  Picoseconds begin = 0;
  for (const FlowTime& flow : flows) {
    found.push_back({.seconds = seconds(flow.time - begin), .alone = alone});
    alone -= static_cast<double>(flow.alone);
    begin = flow.time;
  }
  return found;
}

}  // namespace

BytesPerSecond shared_rate(std::span<const FlowTime> flows) {
  if (flows.empty()) return 0;
  double bytes = 0;
  double sum = 0;
  Picoseconds last = 0;
  for (const FlowTime& flow : flows) {
    bytes += static_cast<double>(flow.bytes);
    sum += static_cast<double>(flow.bytes) / seconds(flow.time);
    last = std::max(last, flow.time);
  }
  const std::vector<Stretch> parts = stretches({flows.begin(), flows.end()});
  const auto carried = [&](double rate) {
    double all = 0;
    for (const Stretch& part : parts) all += part.seconds * std::min(rate, part.alone);
    return all;
  };
  double low = bytes / seconds(last);
  double high = std::max(sum, low);
  constexpr int halvings = 50;
  for (int i = 0; i < halvings && high - low > 1; ++i) {
    const double middle = low + (high - low) / 2;
    (carried(middle) < bytes ? low : high) = middle;
  }
  return std::llround(high);
}

BytesPerSecond shared_way_out(int cluster, std::span<const BytesPerSecond> rates, int clusters, double bound) {
  const auto rate = [&](int a, int b) { return a == b ? 0 : rates[link_index(a, b, clusters)]; };
  const auto fastest = [&](int from) {
    BytesPerSecond most = 0;
    for (int to = 0; to < clusters; ++to) most = std::max(most, rate(from, to));
    return static_cast<double>(most);
  };
  const double best = fastest(cluster);
  int alike = 0;
  for (int other = 0; other < clusters; ++other) {
    if (static_cast<double>(rate(cluster, other)) * (1 + bound) < best || rate(cluster, other) == 0) continue;
    if (fastest(other) > best * (1 + bound)) ++alike;
  }
  return alike > 1 ? static_cast<BytesPerSecond>(best) : 0;
}

}  // namespace tombolo
