#pragma once

#include <optional>

#include <tombolo/collectives/request/request.hpp>
#include <tombolo/framework/arrays/spending_move.hpp>
#include <tombolo/framework/program/declare/arrangement.hpp>

namespace tombolo {

/// Returns the distribution of an array: its slices if the array is in a domain, else the whole.
Distribution distribution_of(const Declaration& program, const Arrangement& arrangement, int array);

/// Returns the redistribution of a move, or of the move to which a pack or unpack belongs.
Redistribution redistribution_of(const Declaration& program, const Arrangement& arrangement, const DeclaredTask& task);

/// Returns the request of an action with the knowledge of `member`; none if the action has no collective.
std::optional<Request> request_of(const Declaration& program, const Arrangement& arrangement, const Action& action,
                                  Rank member);

}  // namespace tombolo
