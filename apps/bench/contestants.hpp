#pragma once

#include <vector>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/framework/mpi/session.hpp>

#include "bench/options.hpp"

namespace tombolo::benchmarking {

/// Which plans are timed for a request, with what is predicted of each; chosen on rank 0, the same on all ranks.
/// Throws AgreedError for an algorithm that there is not, or that cannot carry out the request. Collective.
std::vector<Candidate> contestants(Session& session, const Request& request, const Options& options,
                                   const Planner& planner);

}  // namespace tombolo::benchmarking
