#pragma once

#include <vector>

#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/framework/mpi/session.hpp>

#include "run/timeline.hpp"
#include "transpose/problem.hpp"
#include "transpose/slices.hpp"

namespace tombolo::transposition {

/// What each rank packs, and what it unpacks, in bytes.
std::vector<double> packed_bytes(const Problem& problem, const Slices& slices);
std::vector<double> unpacked_bytes(const Problem& problem, const Slices& slices);

/// Predicts every phase before it runs. `speeds` are bytes/s, one per rank. A native alltoallv is assumed to start all
/// its messages at once. Collective where the model has not been measured yet.
std::vector<Phase> forecast(Session& session, Collectives& collectives, const Problem& problem, const Slices& slices,
                            const std::vector<BytesPerSecond>& speeds);

}  // namespace tombolo::transposition
