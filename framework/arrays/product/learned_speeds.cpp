#include <algorithm>
#include <cstddef>

#include <tombolo/framework/arrays/product/learned_speeds.hpp>

namespace tombolo {
namespace {

constexpr std::int64_t one = 1'000'000;
constexpr std::int64_t most = 1000 * one;
constexpr std::int64_t least = one / 1000;

std::int64_t limited(Wide millionths) {
  return static_cast<std::int64_t>(std::clamp<Wide>(millionths, least, most));
}

}  // namespace

std::vector<FlopsPerSecond> LearnedSpeeds::of(std::vector<FlopsPerSecond> measured) const {
  for (std::size_t rank = 0; rank < slowness_.size(); ++rank) {
    const Wide speed = Wide{measured[rank]} * one / slowness_[rank];
    measured[rank] = static_cast<FlopsPerSecond>(std::max<Wide>(speed, 1));
  }
  return measured;
}

void LearnedSpeeds::note(std::span<const Picoseconds> expected, std::span<const Picoseconds> taken) {
  Wide all_expected = 0;
  Wide all_taken = 0;
  for (std::size_t rank = 0; rank < expected.size(); ++rank) {
    if (expected[rank] <= 0 || taken[rank] <= 0) continue;
    all_expected += expected[rank];
    all_taken += taken[rank];
  }
  if (all_taken == 0) return;
  const Wide old = slowness_.empty() ? 1 : 2;  // parts, and 2 new ones
  slowness_.resize(expected.size(), one);
  for (std::size_t rank = 0; rank < expected.size(); ++rank) {
    if (expected[rank] <= 0 || taken[rank] <= 0) continue;
    const Wide longer = std::min(Wide{taken[rank]} * one / expected[rank], Wide{one} * one);  // the next product fits
    const Wide off = limited(longer * all_expected / all_taken);
    slowness_[rank] = limited(Wide{slowness_[rank]} * (old * one + 2 * off) / ((old + 2) * one));
  }
}

}  // namespace tombolo
