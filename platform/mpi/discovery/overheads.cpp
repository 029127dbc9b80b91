#include <algorithm>
#include <array>

#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discovery/overheads.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::discovery {

namespace {

constexpr std::size_t repetitions = 7;
// After this time at most, messages have come that were sent right behind one that has.
constexpr Picoseconds surely = picoseconds_per_second / 500;

void send_empty(MPI_Comm communicator, int partner) {
  check_mpi(MPI_Send(nullptr, 0, MPI_CHAR, partner, 0, communicator), "MPI_Send");
}

void receive_empty(MPI_Comm communicator, int partner) {
  check_mpi(MPI_Recv(nullptr, 0, MPI_CHAR, partner, 0, communicator, MPI_STATUS_IGNORE), "MPI_Recv");
}

// Returns the median duration of several calls.
template <class Do>
Picoseconds median_time(Do something) {
  Figures times;
  for (std::size_t i = 0; i < repetitions; ++i) {
    const Picoseconds begin = machine::now();
    something(i);
    times.push_back(machine::now() - begin);
  }
  return median_of(times).value;
}

// The receiver waits for as long as a message takes, and not for as long as its partner is late.
void meet(MPI_Comm communicator, int partner) {
  send_empty(communicator, partner);
  receive_empty(communicator, partner);
}

// Times the sends. The receiver signals when its receives are posted, and checks them only after all messages have
// arrived.
Picoseconds time_of_sending(MPI_Comm communicator, int partner) {
  receive_empty(communicator, partner);
  send_empty(communicator, partner);
  return median_time([&](std::size_t) { send_empty(communicator, partner); });
}

Picoseconds time_of_receiving(MPI_Comm communicator, int partner) {
  std::array<MPI_Request, repetitions + 1> requests{};
  for (MPI_Request& request : requests) {
    check_mpi(MPI_Irecv(nullptr, 0, MPI_CHAR, partner, 0, communicator, &request), "MPI_Irecv");
  }
  const auto wait = [&](std::size_t i) { check_mpi(MPI_Wait(&requests[i], MPI_STATUS_IGNORE), "MPI_Wait"); };
  const Picoseconds begin = machine::now();
  send_empty(communicator, partner);
  wait(0);
  // The others were sent at once, and are right behind the first one.
  const Picoseconds first = machine::now() - begin;
  machine::sleep(std::min(2 * first, first / 2 + surely));
  return median_time([&](std::size_t i) { wait(i + 1); });
}

void measure_with(const Team& team, int partner, bool first, Overheads& found) {
  meet(team.communicator, partner);
  const auto send = [&] { found.send = time_of_sending(team.communicator, partner); };
  const auto receive = [&] { found.receive = time_of_receiving(team.communicator, partner); };
  first ? send() : receive();
  meet(team.communicator, partner);
  first ? receive() : send();
}

}  // namespace

AllOverheads measure_overheads(Team& team) {
  Overheads found;
  const int partner = team.rank ^ 1;
  if (partner < team.size) measure_with(team, partner, team.rank < partner, found);
  // With an odd number of ranks, the last one repeats the measurement with the first.
  if (team.size % 2 == 1 && team.size > 1) {
    Overheads again;
    if (team.rank == 0) measure_with(team, team.size - 1, true, again);
    if (team.rank == team.size - 1) measure_with(team, 0, false, found);
  }
  AllOverheads all;
  for (const Figures& of_host : gather(team, {found.send, found.receive})) {
    all.of_hosts.push_back({.send = of_host[0], .receive = of_host[1]});
    all.longest = std::max(all.longest, of_host[0] + of_host[1]);
  }
  all.longest = broadcast(team, {all.longest}).front();
  return all;
}

}  // namespace tombolo::discovery
