#pragma once

#include <span>

#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

/// Writes a direct exchange: every pair's blocks travel at once. Receives are posted from `sources` and sends to
/// `targets` in turn; each names all other ranks once. One lane each way: Parameters::window throttles, and then orders
/// of the ranks that wait for one another in a circle would never end.
void exchange_at_once(std::span<const Rank> sources, std::span<const Rank> targets, const Request& request,
                      const Parameters& parameters, Rank rank, ScheduleWriter& writer);

}  // namespace tombolo
