#pragma once

#include <span>
#include <string>
#include <string_view>

#include <tombolo/platform/platform.hpp>

namespace tombolo {

// What platforms may be, at most. Sums of a few latencies stay far from the end of 64 bits.
constexpr std::size_t most_processors = std::size_t{1} << 20;
constexpr int most_levels = 100;  ///< inside each other
constexpr Picoseconds longest_latency = 1'000 * picoseconds_per_second;
constexpr std::int64_t highest_rate = 1'000'000'000'000'000'000;  ///< B/s or flop/s

/// What every message about a wrong platform says to do.
constexpr std::string_view platform_remedy =
    "correct it (docs/platform-file.md says what it may hold) or make it anew by tombolo discover";

/// Throws Error unless everything holds that Platform, Level and their parts promise: processors by rank, each with
/// its host; hosts and children in the order of their first ranks; levels that partition the ranks; every pair of
/// clusters linked; figures in their ranges. Messages begin with `name`, a file's or another. Takes time in proportion
/// to the platform, about a millisecond for 1000 ranks.
void check_platform(const Platform& platform, const std::string& name = "the platform");

/// Throws Error that names the first difference unless the platform was made for these hosts, one for each rank.
void check_platform_fits(const Platform& platform, std::span<const std::string> hosts_by_rank, const std::string& file);

}  // namespace tombolo
