#pragma once

#include <optional>
#include <vector>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>

#include "plan/options.hpp"

namespace tombolo::planning {

/// The collective that is asked for. Throws Error.
Request request_for(const Options& options);

/// Equal links. Throws Error.
Hockney links_of(const Options& options);

/// What would be done.
struct Answer {
  std::vector<Candidate> plans;          ///< the one to take, then its rivals, the fastest first
  const Decision* decision = nullptr;    ///< why it is taken, where that was tuned; the planner's
  std::optional<Candidate> otherwise{};  ///< what would be taken without that
  Backend backend = Backend::plan;       ///< of blocking calls
};

/// The plan asked for by name, or all candidates. Throws Error, also where a plan has so many steps
/// that proving it would take minutes.
Answer answer(const Options& options, const Request& request, const Planner& planner);

}  // namespace tombolo::planning
