#include <tombolo/models/mpi/estimate_models.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

Estimates estimate_models(MPI_Comm communicator, const Platform& platform, std::span<const ModelKind* const> kinds,
                          const LaboratoryOptions& options, const std::function<void(const ModelKind&)>& progress) {
  int rank = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  Estimates estimates;
  for (const ModelKind* kind : kinds) {
    if (rank == 0 && progress) progress(*kind);
    MpiLaboratory laboratory(communicator, platform, options);
    nlohmann::ordered_json parameters = kind->estimate(platform, laboratory);
    estimates[std::string(kind->name)] = {.parameters = std::move(parameters), .cost = laboratory.cost()};
  }
  return estimates;
}

}  // namespace tombolo
