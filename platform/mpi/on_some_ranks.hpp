#pragma once

#include <functional>
#include <span>

#include <mpi.h>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Does `work` on these ranks of `all`, with a communicator of theirs that lives as long; the others wait asleep until
/// it is done, and leave the cores to those that work. Collective over `all`.
void on_some_ranks(MPI_Comm all, std::span<const Rank> ranks, const std::function<void(MPI_Comm)>& work);

}  // namespace tombolo
