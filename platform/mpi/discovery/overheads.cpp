#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discovery/overheads.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/sample.hpp>

namespace tombolo::discovery {

namespace {

constexpr int repetitions = 11;

Picoseconds time_of_sending(MPI_Comm communicator, int partner) {
  Figures times;
  for (int i = 0; i < repetitions; ++i) {
    const Picoseconds begin = machine::now();
    const char byte = 0;
    check_mpi(MPI_Send(&byte, 1, MPI_CHAR, partner, 0, communicator), "MPI_Send");
    times.push_back(machine::now() - begin);
  }
  return median_of(times).value;
}

Picoseconds time_of_receiving(MPI_Comm communicator, int partner) {
  Figures times;
  for (int i = 0; i < repetitions; ++i) {
    check_mpi(MPI_Probe(partner, 0, communicator, MPI_STATUS_IGNORE), "MPI_Probe");
    const Picoseconds begin = machine::now();
    char byte = 0;
    check_mpi(MPI_Recv(&byte, 1, MPI_CHAR, partner, 0, communicator, MPI_STATUS_IGNORE), "MPI_Recv");
    times.push_back(machine::now() - begin);
  }
  return median_of(times).value;
}

void measure_with(const Team& team, int partner, bool first, Overheads& found) {
  if (first) found.send = time_of_sending(team.communicator, partner);
  found.receive = time_of_receiving(team.communicator, partner);
  if (!first) found.send = time_of_sending(team.communicator, partner);
}

}  // namespace

Overheads measure_overheads(Team& team) {
  Overheads found;
  const int partner = team.rank ^ 1;
  if (partner < team.size) measure_with(team, partner, team.rank < partner, found);
  // Of an odd number the last takes the first once more.
  if (team.size % 2 == 1 && team.size > 1) {
    Overheads again;
    if (team.rank == 0) measure_with(team, team.size - 1, true, again);
    if (team.rank == team.size - 1) measure_with(team, 0, false, found);
  }
  return found;
}

}  // namespace tombolo::discovery
