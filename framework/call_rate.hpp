#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>

namespace tombolo {

/// How long one of some calls takes that were made one after the other, which took `times`: the median; but all time
/// between pauses counts, where calls pause as often as in half of all periods, because a quota of CPU time was used
/// up. All in seconds; `period` is that of the quota, 0 where there is none.
///
///     call_time({1, 1, 1, 7, 1, 1, 1, 7}, 10) = 2.5      three calls and a fourth that waits for the next period
double call_time(std::span<const double> times, double period);

/// How long to measure where so many seconds would do: at least some periods of the CPU quota, where one stands.
double measuring_seconds(double seconds);

/// How fast calls of a kernel are, each of so many units (flop, bytes), in units per second. One call to warm up
/// (threads start, memory is first touched), then calls until `until`, but at least three; the median of their speeds,
/// on the monotonic clock, or, where this process has a quota of CPU time, of several periods (call_time,
/// measuring_seconds); never less than 1. Ranks that share a host start together and pass the same time, so that
/// each is measured under the load of the others.
std::int64_t measure_call_rate(double units, const std::function<void()>& call,
                               std::chrono::steady_clock::time_point until);

/// So many seconds from now.
std::chrono::steady_clock::time_point from_now(double seconds);

}  // namespace tombolo
