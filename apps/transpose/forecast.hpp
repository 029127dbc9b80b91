#pragma once

#include <vector>

#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/framework/transpose_parts.hpp>

#include "run/timeline.hpp"
#include "transpose/layouts.hpp"
#include "transpose/problem.hpp"

namespace tombolo::transposition {

/// What each rank packs, and what it unpacks, in bytes; 0 where it is in order already.
struct MovedBytes {
  std::vector<double> packed;
  std::vector<double> unpacked;
};

/// `parts` are this rank's. Collective.
MovedBytes moved_bytes(Session& session, const Problem& problem, const TransposeParts& parts);

/// Predicts every phase before it runs. `speeds` are bytes/s, one per rank. A native alltoallv is assumed to start all
/// its messages at once. Collective where the model has not been measured yet.
std::vector<Phase> forecast(Session& session, Collectives& collectives, const Problem& problem, const Layouts& layouts,
                            const MovedBytes& moved, const std::vector<BytesPerSecond>& speeds);

}  // namespace tombolo::transposition
