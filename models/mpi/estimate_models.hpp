#pragma once

#include <functional>
#include <span>

#include <mpi.h>

#include <tombolo/models/model_kind.hpp>
#include <tombolo/models/mpi/mpi_laboratory.hpp>
#include <tombolo/models/stored_models.hpp>

namespace tombolo {

/// Estimates models of these kinds one after the other, by experiments between the ranks of the communicator, which are
/// those of the platform. The same on all ranks. `progress` is called on rank 0 before each. Collective.
Estimates estimate_models(MPI_Comm communicator, const Platform& platform, std::span<const ModelKind* const> kinds,
                          const LaboratoryOptions& options, const std::function<void(const ModelKind&)>& progress = {});

}  // namespace tombolo
