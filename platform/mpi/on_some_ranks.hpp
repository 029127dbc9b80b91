#pragma once

#include <functional>
#include <span>

#include <mpi.h>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Runs `work` on the given ranks of `all`, with a communicator of these ranks that is freed afterwards. The other
/// ranks sleep until the work is done and leave the cores to the working ranks. Collective over `all`.
void on_some_ranks(MPI_Comm all, std::span<const Rank> ranks, const std::function<void(MPI_Comm)>& work);

}  // namespace tombolo
