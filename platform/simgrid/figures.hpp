#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo::simgrid {

// Figures as SimGrid's descriptions write them: a number and a unit, with or without a space between. None where the
// text is anything else, and where the figure is negative, not finite or beyond what a machine can have.

/// "125MBps", "1Gbps", "100KiBps"; bytes per second without a unit. More than 0, at most 10^18.
std::optional<BytesPerSecond> bandwidth(std::string_view text);

/// "24.195us", "3ms", "0"; seconds without a unit. At most longest_latency.
std::optional<Picoseconds> latency(std::string_view text);

/// "4.0Gf", "3.2Gflops", "800megaflops"; operations per second without a unit. More than 0, at most 10^18.
std::optional<FlopsPerSecond> speed(std::string_view text);

/// So that sums of latencies stay far below the end of time.
constexpr Picoseconds longest_latency = 1000 * picoseconds_per_second;

/// A description has to state a rate; one of a petabyte per second or more stands for none that is known.
constexpr BytesPerSecond no_limit = 1'000'000'000'000'000;

/// Whole numbers in the order in which a cluster lists them: "0-2,7" = 0, 1, 2, 7. None where the text is anything else
/// or lists more than `most`.
std::optional<std::vector<std::int64_t>> radical(std::string_view text, std::size_t most);

}  // namespace tombolo::simgrid
