#include <algorithm>
#include <cstddef>

#include <tombolo/framework/program/adapt/belied_speed.hpp>

namespace tombolo {

namespace {

constexpr double least_seconds = 0.01;

}  // namespace

std::optional<BeliedSpeed> belied_speed(std::span<const KernelWork> by_rank, double most) {
  std::optional<BeliedSpeed> worst;
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
    const auto& [operations, seconds, speed] = by_rank[rank];
    if (seconds < least_seconds || !(operations > 0) || !(speed > 0)) continue;
    const double factor = seconds * speed / operations;
    const double off = std::max(factor, 1 / factor);
    if (off <= most) continue;
    most = off;
    worst = {.rank = static_cast<Rank>(rank), .factor = factor};
  }
  return worst;
}

}  // namespace tombolo
