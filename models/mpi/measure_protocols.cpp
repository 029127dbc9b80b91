#include <string>

#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/models/mpi/measure_protocols.hpp>
#include <tombolo/models/mpi/mpi_laboratory.hpp>

namespace tombolo {

void measure_protocols(MPI_Comm communicator, Platform& platform, double seconds) {
  if (platform.ranks() < 2) return;
  const ModelKind* const kinds[] = {&multiport_model};
  Estimates estimates = stored_estimates(platform);
  for (auto& [name, estimate] : estimate_models(communicator, platform, kinds, {.seconds = seconds})) {
    platform.origin.messages += estimate.cost.messages;
    for (const auto& what : estimate.parameters.value("left_out", std::vector<std::string>())) {
      platform.origin.not_measured.push_back(what + ", for lack of time");
    }
    estimates[name] = estimate;
  }
  store_estimates(platform, estimates);
}

}  // namespace tombolo
