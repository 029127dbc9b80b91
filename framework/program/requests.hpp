#pragma once

#include <optional>

#include <tombolo/collectives/request.hpp>
#include <tombolo/framework/distribution.hpp>
#include <tombolo/framework/program/arrangement.hpp>

namespace tombolo {

/// Who holds which elements of an array: its slices where it has some, else the whole.
Distribution distribution_of(const Declaration& program, const Arrangement& arrangement, int array);

/// What an action asks of the collectives, as `member` knows it; none where it asks nothing.
std::optional<Request> request_of(const Declaration& program, const Arrangement& arrangement, const Action& action,
                                  Rank member);

}  // namespace tombolo
