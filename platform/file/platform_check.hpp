#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include <tombolo/platform.hpp>

namespace tombolo {

// Maximum sizes and figures of a platform. Sums of a few latencies stay far below 2^63.
constexpr std::size_t most_processors = std::size_t{1} << 20;
constexpr int most_levels = 100;  ///< nesting depth
constexpr Picoseconds longest_latency = 1'000 * picoseconds_per_second;
constexpr std::int64_t highest_rate = 1'000'000'000'000'000'000;  ///< B/s or flop/s

/// The remedy in every message about an invalid platform.
constexpr std::string_view platform_remedy =
    "correct it (docs/platform-file.md says what it may hold) or make it anew by tombolo discover";

/// The platform's own members of the outermost object of a file; all others are sections of other layers.
constexpr std::array<std::string_view, 8> platform_members = {"format", "version", "origin", "processors",
                                                              "hosts",  "levels",  "links",  "lines"};

/// Throws Error unless the invariants of Platform, Level and their parts hold: processors by rank, each with its host;
/// hosts and children in the order of their first ranks; levels that partition the ranks; a link for every pair of
/// clusters; figures within their ranges. Messages begin with `name`, a file name for example. The time is linear in
/// the platform's size, about a millisecond for 1000 ranks.
void check_platform(const Platform& platform, const std::string& name = "the platform");

/// Checks the level tree as part of check_platform: the nesting of the levels and the ranks of each level. Of the rest
/// of the platform only the number of ranks is used.
void check_levels(const Platform& platform, const std::string& name);

/// Throws Error unless the platform was made for these hosts, one for each rank; the message names the first
/// difference.
void check_platform_fits(const Platform& platform, std::span<const std::string> hosts_by_rank, const std::string& file);

}  // namespace tombolo
