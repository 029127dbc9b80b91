#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include <tombolo/framework/partition/call_rate.hpp>
#include <tombolo/platform/system/cores.hpp>

namespace tombolo {

namespace {
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// Number of quota periods in a measurement: the ends may be wrong by up to one period.
constexpr double periods_measured = 6;
// A shorter pause, as a fraction of a period, is negligible.
constexpr double shortest_pause = 0.05;
constexpr double seconds_per_us = 1e-6;

// Returns the period of this process' CPU time quota, in seconds; 0 without a quota.
double quota_period() {
  const auto quota = own_quota();
  return quota ? static_cast<double>(quota->period) * seconds_per_us : 0;
}

}  // namespace

double call_time(std::span<const double> times, double period) {
  std::vector<double> sorted(times.begin(), times.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const double median = *middle;
  const double pause = *std::min_element(times.begin(), times.end()) + shortest_pause * period;
  const auto waited = [&](double time) { return time > pause; };
  const auto pauses = std::count_if(times.begin(), times.end(), waited);
  const double all = std::accumulate(times.begin(), times.end(), 0.0);
  if (period <= 0 || pauses < 2 || static_cast<double>(pauses) < all / period / 2) return median;
  const auto first = std::find_if(times.begin(), times.end(), waited) + 1;
  const auto last = std::find_if(times.rbegin(), times.rend(), waited).base();
  return std::accumulate(first, last, 0.0) / static_cast<double>(last - first);
}

double measuring_seconds(double seconds) {
  return std::max(seconds, periods_measured * quota_period());
}

std::int64_t measure_call_rate(double units, const std::function<void()>& call, Clock::time_point until) {
  call();
  const double period = quota_period();
  until = std::max(until, from_now(periods_measured * period));
  std::vector<double> times;
  for (auto now = Clock::now(); times.size() < 3 || now < until;) {
    call();
    const auto end = Clock::now();
    times.push_back(Seconds(end - now).count());
    now = end;
  }
  // A coarse clock reads 0 for a tiny call; and a rank's speed must not round to 0, which would leave the rank without
  // work.
  const double speed = units / std::max(call_time(times, period), 1e-9);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(speed, 9e18)));
}

Clock::time_point from_now(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(seconds));
}

}  // namespace tombolo
