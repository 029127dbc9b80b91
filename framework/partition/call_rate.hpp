#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>

namespace tombolo {

/// Returns the time of one of several consecutive calls with durations `times`: the median; but the mean over the time
/// between pauses, if calls pause in at least half of all periods because a CPU time quota was used up. All in seconds;
/// `period` is the quota's period, 0 without a quota.
///
///     call_time({1, 1, 1, 7, 1, 1, 1, 7}, 10) = 2.5      three calls and a fourth that waits for the next period
double call_time(std::span<const double> times, double period);

/// Returns the measuring time for a requested time, in seconds: at least a few periods of the CPU quota, if there is
/// one.
double measuring_seconds(double seconds);

/// Measures the rate of calls of `units` (flop, bytes) each, in units per second. One warm-up call (threads start,
/// memory is first touched), then calls until `until`, at least three. The result is the median speed on the monotonic
/// clock, or, under a CPU time quota, the speed over several periods (call_time, measuring_seconds); at least 1. Ranks
/// that share a host start together and use the same time, so each is measured under the load of the others.
std::int64_t measure_call_rate(double units, const std::function<void()>& call,
                               std::chrono::steady_clock::time_point until);

/// Returns the time `seconds` from now.
std::chrono::steady_clock::time_point from_now(double seconds);

}  // namespace tombolo
