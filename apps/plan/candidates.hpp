#pragma once

#include <vector>

#include <tombolo/collectives/planner.hpp>
#include <tombolo/models/hockney.hpp>

#include "plan/options.hpp"

namespace tombolo::planning {

/// The collective that is asked for. Throws Error.
Request request_for(const Options& options);

/// Equal links. Throws Error.
Hockney links_of(const Options& options);

/// The plan asked for by name, or all candidates, the fastest first. Throws Error, also where a plan has so many steps
/// that proving it would take minutes.
std::vector<Candidate> plans(const Options& options, const Request& request, const Planner& planner);

}  // namespace tombolo::planning
