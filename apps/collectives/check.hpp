#pragma once

#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/collectives/plan/plan.hpp>

namespace tombolo::benchmarking {

/// Whether a plan leaves what MPI's own collective leaves in every buffer of this rank: with elements without
/// and with gaps, in place and not, and, where the operation combines and the algorithm keeps the order of ranks, with
/// an operation that does not commute. Collective.
bool same_as_native(Collectives& native, PlannedCollectives& planned, const Plan& plan);

}  // namespace tombolo::benchmarking
