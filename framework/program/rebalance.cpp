#include <algorithm>
#include <cmath>

#include <tombolo/framework/program/rebalance.hpp>

namespace tombolo {

namespace {

constexpr double fastest = 1e12;  // in which speeds are rounded

double work_of(const DeclaredSlices& slices, const Division& division, Rank member) {
  const Slice slice = division.slice(0, member);
  return static_cast<double>(weight(slices, slice.first, slice.count));
}

}  // namespace

std::optional<Division> Rebalance::improved(const Division& now, std::span<const double> seconds, std::int64_t passes) {
  std::vector<double> speeds;  // work a second
  double slowest = 0;
  for (Rank r = 0; r < now.ranks(); ++r) {
    const double took = seconds[static_cast<std::size_t>(r)];
    speeds.push_back(took > 0 ? work_of(slices_, now, r) / took : 0);
    slowest = std::max(slowest, took);
  }
  const double most = *std::max_element(speeds.begin(), speeds.end());
  if (most <= 0 || passes < 1) return std::nullopt;
  std::vector<std::int64_t> rounded;
  for (const double speed : speeds) rounded.push_back(std::llround(speed / most * fastest));
  Division better = divide(slices_, rounded);
  double then = 0;
  for (Rank r = 0; r < now.ranks(); ++r) {
    const double speed = speeds[static_cast<std::size_t>(r)];
    if (speed > 0) then = std::max(then, work_of(slices_, better, r) / speed);
  }
  // Both over all the passes that were looked at.
  const double gain = slowest - then;
  if (gain < least_gain * slowest) return std::nullopt;
  lost_ += gain;
  return better;
}

}  // namespace tombolo
