#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo::simgrid {

// Parsers of the figures in SimGrid's descriptions: a number and a unit, with or without a space between. They return
// no value for any other text and for a figure that is negative, not finite or out of range.

/// "125MBps", "1Gbps", "100KiBps"; bytes per second without a unit. Range: above 0, at most 10^18.
std::optional<BytesPerSecond> bandwidth(std::string_view text);

/// "24.195us", "3ms", "0"; seconds without a unit. At most longest_latency.
std::optional<Picoseconds> latency(std::string_view text);

/// "4.0Gf", "3.2Gflops", "800megaflops"; operations per second without a unit. Range: above 0, at most 10^18.
std::optional<FlopsPerSecond> speed(std::string_view text);

/// Maximum latency; sums of latencies stay far below `never`.
constexpr Picoseconds longest_latency = 1000 * picoseconds_per_second;

/// A description must state a rate; a petabyte per second or more stands for an unknown rate.
constexpr BytesPerSecond no_limit = 1'000'000'000'000'000;

/// Parses the list of whole numbers of a cluster, in order: "0-2,7" = 0, 1, 2, 7. None for any other text and for more
/// than `most` numbers.
std::optional<std::vector<std::int64_t>> radical(std::string_view text, std::size_t most);

}  // namespace tombolo::simgrid
