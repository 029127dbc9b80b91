#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tombolo/collectives/request.hpp>
#include <tombolo/framework/program/arrangement.hpp>
#include <tombolo/framework/spending_move.hpp>

namespace tombolo {

/// Who holds which elements of an array: its slices where it has some, else the whole.
Distribution distribution_of(const Declaration& program, const Arrangement& arrangement, int array);

/// What a move, or a task that packs or unpacks for one, is about.
Redistribution redistribution_of(const Declaration& program, const Arrangement& arrangement, const DeclaredTask& task);
/// Elements that each member packs, or unpacks, in a task that does.
std::vector<std::int64_t> moved_by_members(const Declaration& program, const Arrangement& arrangement,
                                           const DeclaredTask& task);

/// What an action asks of the collectives, as `member` knows it; none where it asks nothing.
std::optional<Request> request_of(const Declaration& program, const Arrangement& arrangement, const Action& action,
                                  Rank member);

}  // namespace tombolo
