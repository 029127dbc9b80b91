#include <vector>

#include <tombolo/collectives/mpi/timing/makespan.hpp>
#include <tombolo/collectives/mpi/timing/time_trials.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/on_some_ranks.hpp>

namespace tombolo {

ExperimentCost time_trials(MPI_Comm all, std::span<Trial> trials, const Repeat& repeat,
                           const std::function<void(const Trial&)>& progress) {
  if (trials.empty()) return {};
  int rank = 0;
  check_mpi(MPI_Comm_rank(all, &rank), "MPI_Comm_rank");
  const std::vector<Rank>& ranks = trials.front().ranks;
  const Picoseconds begin = machine::now();
  std::vector<Picoseconds> measured(trials.size());
  on_some_ranks(all, ranks, [&](MPI_Comm some) {
    PlanTimer timer(some);
    for (std::size_t t = 0; t < trials.size(); ++t) {
      if (rank == ranks.front() && progress) progress(trials[t]);
      measured[t] = timer.makespan(trials[t].plan, repeat).value;
    }
  });
  check_mpi(MPI_Bcast(measured.data(), static_cast<int>(measured.size()), MPI_INT64_T, ranks.front(), all),
            "MPI_Bcast");
  for (std::size_t t = 0; t < trials.size(); ++t) trials[t].sample.measured = measured[t];
  double spent = seconds(machine::now() - begin);
  check_mpi(MPI_Bcast(&spent, 1, MPI_DOUBLE, 0, all), "MPI_Bcast");
  return {.measurements = static_cast<std::int64_t>(trials.size()), .seconds = spent};
}

}  // namespace tombolo
