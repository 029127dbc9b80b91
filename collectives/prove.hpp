#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tombolo/collectives/contract.hpp>
#include <tombolo/collectives/plan.hpp>

namespace tombolo {

/// What a proof found: no fault, or the first one in words; and what the plan costs in the whole.
struct Proof {
  std::optional<std::string> fault;
  std::int64_t steps = 0;
  std::int64_t messages = 0;
  std::int64_t elements_moved = 0;   ///< over links, each crossing counted; learned counts are not among them
  std::int64_t largest_scratch = 0;  ///< elements, of the rank with the most
  bool holds() const { return !fault; }
};

/// Proves a plan for its request: runs all ranks' steps on symbols in one process and checks that
///  - pieces lie inside their buffers and messages match in number and size;
///  - two steps of a rank that touch the same elements, one of them writing, are ordered, so that no result depends on
///    the order in which messages arrive;
///  - no rank waits for ever, not even if every send waits for its receive (rendezvous) and windows are full;
///  - every rank ends with exactly what the operation promises, and no rank uses a count that it cannot know.
/// The request must hold all counts. Nothing is sent and no time passes; the work grows with steps, not with bytes.
Proof prove(const Plan& plan);

/// The same for schedules that were written already, one per rank.
Proof prove(const Request& request, std::span<const Schedule> schedules);

}  // namespace tombolo
