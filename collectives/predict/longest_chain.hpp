#pragma once

#include <tombolo/collectives/plan/plan.hpp>

namespace tombolo {

/// Length of the longest chain of dependent messages of a plan: its number of steps as counted in papers where a rank
/// may send to several others at a time. Includes the stage that learns counts.
int longest_chain(const Plan& plan);

}  // namespace tombolo
