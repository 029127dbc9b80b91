#include <algorithm>
#include <array>
#include <bit>

#include <sched.h>

#include <tombolo/collectives/mpi/timing/common_start.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

namespace {

constexpr int ask_tag = 1;
constexpr int tell_tag = 2;
constexpr int round_trips = 8;
// The drift of clocks in this time may be neglected.
constexpr Picoseconds stale = 5 * picoseconds_per_second;
constexpr Picoseconds shortest_notice = 100'000'000;
// A sleep ends this much early; the rest is a busy wait.
constexpr Picoseconds wakes_early = 20'000'000;
constexpr int most_tries = 6;

bool on_one_host(MPI_Comm communicator) {
  int ranks = 0;
  check_mpi(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  MPI_Comm here = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here), "MPI_Comm_split_type");
  int alone = 0;
  check_mpi(MPI_Comm_size(here, &alone), "MPI_Comm_size");
  check_mpi(MPI_Comm_free(&here), "MPI_Comm_free");
  int all = alone == ranks ? 1 : 0;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, communicator), "MPI_Allreduce");
  return all != 0;
}

void wait_until(Picoseconds moment) {
  const Picoseconds left = moment - machine::now();
  if (left > wakes_early) machine::sleep(left - wakes_early);
  while (machine::now() < moment) sched_yield();  // hosts may have more ranks than cores
}

}  // namespace

// All ranks ask rank 0 at once; the fastest round trip of each rank was delayed least by the others.
ClockComparison compare_clocks(MPI_Comm communicator, int round_trips) {
  int rank = 0;
  int ranks = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  ClockComparison found{.ahead = 0, .round_trip = rank == 0 ? 0 : never};
  for (int i = 0; i < (rank == 0 ? round_trips * (ranks - 1) : round_trips); ++i) {
    if (rank == 0) {
      MPI_Status status;
      check_mpi(MPI_Recv(nullptr, 0, MPI_CHAR, MPI_ANY_SOURCE, ask_tag, communicator, &status), "MPI_Recv");
      const Picoseconds now = machine::now();
      check_mpi(MPI_Send(&now, 1, MPI_INT64_T, status.MPI_SOURCE, tell_tag, communicator), "MPI_Send");
      continue;
    }
    const Picoseconds begin = machine::now();
    check_mpi(MPI_Send(nullptr, 0, MPI_CHAR, 0, ask_tag, communicator), "MPI_Send");
    Picoseconds told = 0;
    check_mpi(MPI_Recv(&told, 1, MPI_INT64_T, 0, tell_tag, communicator, MPI_STATUS_IGNORE), "MPI_Recv");
    const Picoseconds end = machine::now();
    if (end - begin >= found.round_trip) continue;
    found.round_trip = end - begin;
    found.ahead = begin + found.round_trip / 2 - told;
  }
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &found.round_trip, 1, MPI_INT64_T, MPI_MAX, communicator), "MPI_Allreduce");
  return found;
}

CommonStart::CommonStart(MPI_Comm communicator)
    : CommonStart(communicator, machine::simulated() || on_one_host(communicator)) {}

CommonStart::CommonStart(MPI_Comm communicator, bool one_host) : communicator_(communicator), barrier_(one_host) {
  check_mpi(MPI_Comm_rank(communicator, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator, &ranks_), "MPI_Comm_size");
  if (!barrier_) compare_clocks();
}

void CommonStart::compare_clocks() {
  const ClockComparison now = tombolo::compare_clocks(communicator_, round_trips);
  ahead_ = now.ahead;
  const int hops = std::bit_width(static_cast<unsigned>(ranks_ - 1));
  notice_ = std::max(notice_, shortest_notice + now.round_trip * hops);
  compared_ = machine::now();
}

Picoseconds CommonStart::next() {
  late_ = false;
  if (barrier_) {
    machine::start_together(communicator_);
    return machine::now();
  }
  while (true) {
    check_mpi(MPI_Barrier(communicator_), "MPI_Barrier");
    std::array<std::int64_t, 2> told{};  // start on rank 0's clock, and whether to compare clocks first
    const Picoseconds now = machine::now();
    if (rank_ == 0) told = {now + notice_, now - compared_ > stale ? 1 : 0};
    check_mpi(MPI_Bcast(told.data(), 2, MPI_INT64_T, 0, communicator_), "MPI_Bcast");
    if (told[1] != 0) {
      compare_clocks();
      continue;
    }
    const Picoseconds begin = told[0] + ahead_;
    late_ = machine::now() > begin;
    wait_until(begin);
    return begin;
  }
}

bool CommonStart::give_more_notice() {
  notice_ *= 2;
  return ++tries_ <= most_tries;
}

}  // namespace tombolo
