#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <tombolo/platform.hpp>

namespace tombolo {

/// The figures of one message between two clusters by direction: from the first to the second, and back.
struct LinkWays {
  std::array<BytesPerSecond, 2> rates = {};   ///< 0 if not known
  std::array<Picoseconds, 2> latencies = {};  ///< of the whole route, 0 if not known
};

/// Returns true if the larger one is at least half as much again as the other; false if one is 0.
bool differ_by_way(const std::array<std::int64_t, 2>& figures);

/// A platform has one rate and one latency for both directions of a link. Adds to `origin.not_measured` whose differ.
/// `ways`: by link.
void note_uneven_ways(Platform& platform, const std::vector<LinkWays>& ways);

/// Shortens notes on what was not measured: behind the first eight, one says how many more there are, by a format for
/// that number.
void shorten(std::vector<std::string>& notes, const std::string& more);

}  // namespace tombolo
