#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/plan/plan.hpp>

namespace tombolo {

/// Result of a proof: the first fault in words, if any, and the total cost of the plan.
struct Proof {
  std::optional<std::string> fault;
  std::int64_t steps = 0;
  std::int64_t messages = 0;
  std::int64_t elements_moved = 0;   ///< sum over all messages, without those of the learning stage
  std::int64_t largest_scratch = 0;  ///< elements, maximum over ranks
  bool holds() const { return !fault; }
};

/// Proves a plan: runs all ranks' steps on symbols in one process and checks that
///  - buffer ranges lie inside their buffers and messages match in number and size;
///  - two steps of a rank that access the same elements, at least one writing, are ordered, so that no result depends
///  on
///    the order of message arrival;
///  - no rank deadlocks, even if every send waits for its receive (rendezvous) and windows are full;
///  - every rank ends with exactly the contents of its contract, and no rank uses an unknown count.
/// The request must hold all counts. No message is sent and no time is simulated; the work grows with the number of
/// steps, not with bytes.
Proof prove(const Plan& plan);

/// Proves schedules, one per rank, against the contracts of the request. A rank may have `staged` more elements of
/// scratch than the contract allows.
Proof prove(const Request& request, std::span<const Schedule> schedules, std::int64_t staged = 0);
/// The elements that relays of detours may stage under the plan.
std::int64_t forwarded_elements(const Plan& plan);

}  // namespace tombolo
