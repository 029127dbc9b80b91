#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

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

}  // namespace tombolo
