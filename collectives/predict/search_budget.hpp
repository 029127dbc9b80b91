#pragma once

#include <algorithm>
#include <cstdint>

#include <tombolo/collectives/plan/plan.hpp>

namespace tombolo {

/// Simulation budget of one choice among plans, in messages rather than time, since all ranks must spend the same.
struct SearchBudget {
  std::int64_t left = std::int64_t{1} << 18;  ///< remaining
  std::int64_t most = std::int64_t{1} << 16;  ///< limit of one prediction

  /// The multiple of such a budget that a request of so many ranks gets: from 1,024 on as many messages for each,
  /// up to 2,048, beyond which one prediction would take seconds.
  static std::int64_t times(int ranks) { return ranks < 1024 ? 1 : std::min(ranks / 256, 8); }
  /// Most messages that a prediction for so many ranks may simulate now.
  std::int64_t affordable(int ranks) const { return std::min(left, most * times(ranks)); }
  /// Takes so many messages; false, with nothing taken, if they are not affordable.
  bool spend(std::int64_t messages, int ranks) {
    if (messages > affordable(ranks)) return false;
    left -= messages;
    return true;
  }
};

/// A message over a detour becomes segments on two hops, at most so many messages.
constexpr std::int64_t messages_per_detour = 4;

/// The messages of plans over detours that are weighed without a simulation, and how many in the time of one that is
/// simulated.
constexpr std::int64_t most_weighed_over_detours = std::int64_t{1} << 18;
constexpr std::int64_t weighed_over_detours = 8;

/// Estimates the messages of a plan's simulation from the schedules of a few ranks. Stops once there are more than
/// `most`.
std::int64_t messages_of(const Plan& plan, std::int64_t most);

/// Returns true if the budget suffices for pipeline_time() of a plan of whole messages once these take detours. Needs
/// no detours, which take long to find.
bool affords_detours(const Plan& direct, const SearchBudget& budget);

}  // namespace tombolo
