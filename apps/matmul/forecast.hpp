#pragma once

#include <array>
#include <string>
#include <vector>

#include <tombolo/collectives/blocks.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/framework/mpi/session.hpp>

#include "matmul/problem.hpp"
#include "matmul/rows.hpp"

namespace tombolo::matmul {

/// What is expected of one phase.
struct PhaseForecast {
  std::string how;  ///< the plan, or what the native collective is taken to do
  double predicted_s = 0;
  double bound_s = 0;  ///< no plan on these links, no shares of these speeds can be faster
};

/// Predicts every phase before it runs. `speeds` are flop/s, one per rank. With native collectives, whose algorithm
/// cannot be asked for, those that the LMO paper (section 7) names are assumed: flat scatterv and gatherv, binomial
/// bcast. Collective where the model has not been measured yet.
std::array<PhaseForecast, phases> forecast(Session& session, Collectives& collectives, const Problem& problem,
                                           const Blocks& rows, Rank root, const std::vector<FlopsPerSecond>& speeds);

}  // namespace tombolo::matmul
