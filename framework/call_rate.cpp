#include <algorithm>
#include <cstddef>
#include <vector>

#include <tombolo/framework/call_rate.hpp>

namespace tombolo {

namespace {
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
}  // namespace

std::int64_t measure_call_rate(double units, const std::function<void()>& call, Clock::time_point until) {
  call();
  std::vector<double> times;
  for (auto now = Clock::now(); times.size() < 3 || now < until;) {
    call();
    const auto end = Clock::now();
    times.push_back(Seconds(end - now).count());
    now = end;
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  // A clock too coarse for a tiny call reads 0; and no rank's speed may round to 0, or it would be left without work.
  const double speed = units / std::max(*middle, 1e-9);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(speed, 9e18)));
}

Clock::time_point from_now(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(seconds));
}

}  // namespace tombolo
