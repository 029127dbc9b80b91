#pragma once

#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

/// Throws Error, with the names of others, for an algorithm without a tree whose places ranks may take in any order
/// (Algorithm::shape), such as placed_order() chooses.
void check_has_places(const Algorithm& algorithm);

/// Throws Error for an algorithm that does not go along trees below one root, for which scheduled() has plans.
void check_follows_schedule(const Algorithm& algorithm);

}  // namespace tombolo
