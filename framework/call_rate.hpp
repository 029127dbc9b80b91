#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace tombolo {

/// How fast calls of a kernel are, each of so many units (flop, bytes), in units per second. One call to warm up
/// (threads start, memory is first touched), then calls until `until`, but at least three; the median of their speeds,
/// on the monotonic clock; never less than 1. Ranks that share a host start together and pass the same time, so that
/// each is measured under the load of the others.
std::int64_t measure_call_rate(double units, const std::function<void()>& call,
                               std::chrono::steady_clock::time_point until);

/// So many seconds from now.
std::chrono::steady_clock::time_point from_now(double seconds);

}  // namespace tombolo
