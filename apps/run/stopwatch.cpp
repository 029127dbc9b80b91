#include "run/stopwatch.hpp"

#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

std::vector<PhaseEnds> gather_ends(const Session& session, const PhaseEnds& mine) {
  const auto phases = static_cast<std::ptrdiff_t>(mine.size());
  const int count = static_cast<int>(phases);
  std::vector<double> flat(mine.size() * static_cast<std::size_t>(session.ranks()));
  check_mpi(MPI_Allgather(mine.data(), count, MPI_DOUBLE, flat.data(), count, MPI_DOUBLE, session.communicator()),
            "MPI_Allgather");
  std::vector<PhaseEnds> all;
  for (auto of_rank = flat.begin(); of_rank != flat.end(); of_rank += phases) {
    all.emplace_back(of_rank, of_rank + phases);
  }
  return all;
}

}  // namespace tombolo
