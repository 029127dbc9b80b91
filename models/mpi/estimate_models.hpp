#pragma once

#include <functional>
#include <span>

#include <mpi.h>

#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/models/kinds/stored_models.hpp>
#include <tombolo/models/mpi/mpi_laboratory.hpp>

namespace tombolo {

/// Estimates models of `kinds` one after the other, by experiments between the ranks of the communicator, which are the
/// ranks of the platform. Returns the same on all ranks. `progress` is called on rank 0 before each estimation.
/// Collective.
Estimates estimate_models(MPI_Comm communicator, const Platform& platform, std::span<const ModelKind* const> kinds,
                          const LaboratoryOptions& options, const std::function<void(const ModelKind&)>& progress = {});

}  // namespace tombolo
