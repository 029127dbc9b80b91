#pragma once

#include <span>

#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

/// Writes a direct exchange: every pair's blocks travel at once. Receives are posted from `sources` and sends to
/// `targets` in turn; each names all other ranks once. A window per rank (Parameters::lanes) throttles what a rank
/// sends and what it receives; orders of the ranks that wait for one another in a circle would then never end. A window
/// per link is for the segments of one block.
void exchange_at_once(std::span<const Rank> sources, std::span<const Rank> targets, const Request& request,
                      const Parameters& parameters, Rank rank, ScheduleWriter& writer);

}  // namespace tombolo
