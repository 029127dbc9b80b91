#include <algorithm>

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
