#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

std::vector<Figures> gather(const Team& team, const Figures& mine) {
  if (team.size == 1) return {mine};
  const int count = static_cast<int>(mine.size());
  std::vector<int> counts(team.rank == 0 ? static_cast<std::size_t>(team.size) : 0);
  check_mpi(MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, team.communicator), "MPI_Gather");
  std::vector<int> places;
  int total = 0;
  for (const int c : counts) {
    places.push_back(total);
    total += c;
  }
  Figures all(static_cast<std::size_t>(total));
  check_mpi(MPI_Gatherv(mine.data(), count, MPI_INT64_T, all.data(), counts.data(), places.data(), MPI_INT64_T, 0,
                        team.communicator),
            "MPI_Gatherv");
  std::vector<Figures> by_rank;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const auto begin = all.begin() + places[r];
    by_rank.emplace_back(begin, begin + counts[r]);
  }
  return by_rank;
}

Figures broadcast(const Team& team, Figures figures) {
  if (team.size == 1) return figures;
  auto count = static_cast<std::int64_t>(figures.size());
  check_mpi(MPI_Bcast(&count, 1, MPI_INT64_T, 0, team.communicator), "MPI_Bcast");
  figures.resize(static_cast<std::size_t>(count));
  if (count == 0) return figures;  // SimGrid's Open MPI algorithms fail for an empty broadcast
  check_mpi(MPI_Bcast(figures.data(), static_cast<int>(count), MPI_INT64_T, 0, team.communicator), "MPI_Bcast");
  return figures;
}

}  // namespace tombolo::discovery
