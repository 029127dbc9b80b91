#pragma once

#include <tombolo/collectives/level_groups.hpp>

namespace tombolo {

/// The same groups cut where their ranks are not consecutive, so that places are ranks: for operands that must keep the
/// order of these.
LevelGroups groups_in_order(const LevelGroups& groups);

}  // namespace tombolo
