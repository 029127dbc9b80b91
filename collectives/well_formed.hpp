#pragma once

#include <optional>
#include <string>

#include <tombolo/collectives/contract.hpp>
#include <tombolo/collectives/matching.hpp>

namespace tombolo {

/// What is wrong with one rank's schedule, looked at by itself: pieces outside their buffers or of another size than
/// the step, peers, lanes or steps that there are not, too much scratch, two steps that race for an element.
std::optional<std::string> find_malformed(const Schedule& schedule, const Contract& contract, Rank rank, Rank ranks);

}  // namespace tombolo
