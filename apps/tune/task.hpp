#pragma once

#include <optional>
#include <vector>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/framework/mpi/session.hpp>

#include "timing/cells.hpp"
#include "tune/options.hpp"
#include "tune/outcome.hpp"

namespace tombolo::tuning {

/// What is to be decided. Planner and tuning are rank 0's, the rest is the same on all ranks.
struct Task {
  Setting setting;
  std::vector<timing::Cell> cells;
  std::optional<Planner> planner{};
  std::optional<Tuning> tuning{};  ///< what was decided before and stays
};

/// What the options ask for. Throws AgreedError for what cannot be. Collective.
Task prepare(Session& session, const Options& options);

}  // namespace tombolo::tuning
