#pragma once

#include <string>
#include <vector>

#include "plan/candidates.hpp"

namespace tombolo::planning {

/// The first of the plans with its proof and bound, why it is taken where that was tuned, and the others by name: for
/// people, and one JSON object for programs.
std::string to_text(const Options& options, const Answer& answer, const Planner& planner);
std::string to_json(const Answer& answer, const Planner& planner);

}  // namespace tombolo::planning
