#pragma once

#include <optional>
#include <utility>

#include <tombolo/collectives/schedule.hpp>

namespace tombolo {

/// Two steps that touch the same elements, at least one writing them, and of which neither must wait for the other;
/// nothing when there are none.
std::optional<std::pair<StepId, StepId>> find_race(const Schedule& schedule);

}  // namespace tombolo
