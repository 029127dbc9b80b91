#pragma once

#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

/// Throws Error, which lists alternatives, for an algorithm without a tree whose virtual ranks may be permuted
/// (Algorithm::shape) as by placed_order().
void check_has_places(const Algorithm& algorithm);

/// Throws Error for an algorithm without trees below one root, the kind that scheduled() plans.
void check_follows_schedule(const Algorithm& algorithm);

}  // namespace tombolo
