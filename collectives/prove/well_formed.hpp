#pragma once

#include <optional>
#include <string>

#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/plan/matching.hpp>

namespace tombolo {

/// Checks one rank's schedule by itself: buffer ranges outside their buffers or of another size than the step, invalid
/// peers, channels or predecessors, writes to the input, reductions without an operation, too much scratch, data races
/// between two steps. Returns the first fault in words; empty if there is none.
std::optional<std::string> find_malformed(const Schedule& schedule, const Contract& contract, Rank rank, Rank ranks);

}  // namespace tombolo
