#include <algorithm>
#include <array>

#include <tombolo/collectives/mpi/timing/alternation.hpp>
#include <tombolo/models/experiments/series.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

Picoseconds makespan_of(MPI_Comm communicator, CommonStart& start, const std::function<void()>& call) {
  while (true) {
    const Picoseconds begin = start.next();
    call();
    std::array<std::int64_t, 2> latest{machine::now() - begin, start.late() ? 1 : 0};
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, latest.data(), 2, MPI_INT64_T, MPI_MAX, communicator), "MPI_Allreduce");
    if (latest[1] == 0 || !start.give_more_notice()) return latest[0];
  }
}

std::vector<Timing> alternate(MPI_Comm communicator, const std::vector<std::function<void()>>& calls,
                              const Repeat& repeat) {
  CommonStart start(communicator);
  const bool noisy = !machine::simulated();
  std::vector<Series> series(calls.size(), Series(repeat, noisy, noisy ? 1 : 0));
  bool more = !calls.empty();
  for (bool forwards = true; more; forwards = !forwards) {
    more = false;
    for (std::size_t turn = 0; turn < calls.size(); ++turn) {
      const std::size_t which = forwards ? turn : calls.size() - 1 - turn;
      if (series[which].enough()) continue;
      series[which].add(makespan_of(communicator, start, calls[which]));
      more = true;
    }
  }
  std::vector<Timing> timings;
  for (const Series& each : series) {
    const Measured median = each.result();
    timings.push_back({.median = median.value,
                       .low = std::max<Picoseconds>(median.value - median.error, 0),
                       .high = median.value + median.error,
                       .times = each.times()});
  }
  return timings;
}

}  // namespace tombolo
