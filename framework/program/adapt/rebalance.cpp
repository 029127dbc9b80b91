#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <tombolo/framework/program/adapt/rebalance.hpp>

namespace tombolo {

namespace {

constexpr double fastest = 1e12;      // scale for rounding of speeds
constexpr double remembered = 0.5;    // weight of earlier measurements
constexpr double least_gain = 0.05;   // of a pass; a smaller gain is not worth a change
constexpr double another_time = 1.2;  // ratio of pass times that shows a change of conditions
constexpr double most_growth = 1.5;   // of a share at a time: a speed measured with few items may not hold for many
constexpr int longest_wait = 256;

double work_of(const DeclaredDomain& slices, const Division& division, Rank member) {
  const Slice slice = division.slice(0, member);
  return static_cast<double>(weight(slices, slice.first, slice.count));
}

constexpr double least_seconds = 0.01;

}  // namespace

std::optional<Division> Rebalance::look(const Division& now, const Passes& passes,
                                        const std::function<double(const Division&)>& move_s) {
  const bool worse = before_ && passes.each_s >= each_before_;
  const bool things_changed = each_last_ > 0 && passes.each_s > another_time * each_last_;
  each_last_ = passes.each_s;
  if (worse) {
    waits_ = next_wait_;
    next_wait_ = std::min(2 * next_wait_, longest_wait);
    lost_ = 0;
    each_last_ = each_before_;
    work_.clear();
    seconds_.clear();
    return std::exchange(before_, std::nullopt);
  }
  if (before_) next_wait_ = 4;
  before_.reset();
  if (things_changed) waits_ = 0;
  auto better = improved(now, passes);
  if (waits_ > 0) {
    --waits_;
    lost_ = 0;
    return std::nullopt;
  }
  if (!better || lost_ < move_s(*better)) return std::nullopt;
  lost_ = 0;
  before_ = now;
  each_before_ = passes.each_s;
  return better;
}

std::optional<Division> Rebalance::improved(const Division& now, const Passes& passes) {
  const auto ranks = static_cast<std::size_t>(now.ranks());
  const auto count = static_cast<double>(passes.count);
  work_.resize(ranks, 0);
  seconds_.resize(ranks, 0);
  std::vector<double> speeds;  // work per second
  double slowest = 0;          // seconds of a pass
  for (std::size_t r = 0; r < ranks; ++r) {
    const double work = work_of(slices_, now, static_cast<Rank>(r));
    work_[r] = remembered * work_[r] + work * count;
    seconds_[r] = remembered * seconds_[r] + passes.computing_s[r];
    speeds.push_back(seconds_[r] > 0 ? work_[r] / seconds_[r] : 0);
    if (speeds[r] > 0) slowest = std::max(slowest, work / speeds[r]);
  }
  const double most = *std::max_element(speeds.begin(), speeds.end());
  if (most <= 0) return std::nullopt;
  std::vector<SpeedFunction> rounded;
  std::vector<std::int64_t> limits;
  std::int64_t together = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    rounded.push_back(SpeedFunction::constant(std::llround(speeds[r] / most * fastest)));
    const auto share = static_cast<double>(now.items_of(static_cast<Rank>(r)));
    limits.push_back(std::min(std::llround(share * most_growth) + 1LL, now.items() + 0LL));
    together += speeds[r] > 0 ? limits.back() : 0;
  }
  if (together < now.items()) limits.clear();
  Division better = divide(slices_, rounded, 1, 1, limits);
  double then = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    if (speeds[r] > 0) then = std::max(then, work_of(slices_, better, static_cast<Rank>(r)) / speeds[r]);
  }
  const double gain = slowest - then;
  if (gain < least_gain * passes.each_s) return std::nullopt;
  lost_ += gain * count;
  return better;
}

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
