#pragma once

#include <vector>

#include <tombolo/collectives/blocks.hpp>
#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/framework/mpi/session.hpp>

#include "matmul/problem.hpp"
#include "run/timeline.hpp"

namespace tombolo::matmul {

/// Flop of each rank.
std::vector<double> flops_of_ranks(GemmShape shape, const Blocks& rows);

/// Predicts every phase before it runs. `speeds` are flop/s, one per rank. With native collectives those that the LMO
/// paper (section 7) names are assumed: flat scatterv and gatherv, binomial bcast. Collective where the model has not
/// been measured yet.
std::vector<Phase> forecast(Session& session, Collectives& collectives, const Problem& problem, const Blocks& rows,
                            Rank root, const std::vector<FlopsPerSecond>& speeds);

}  // namespace tombolo::matmul
