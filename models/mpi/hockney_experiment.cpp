#include <algorithm>
#include <cstring>
#include <vector>

#include <tombolo/models/mpi/hockney_experiment.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

namespace {

constexpr int large = 1 << 20;
constexpr int warm_up = 1;
constexpr int repetitions = 5;

Picoseconds median(std::vector<Picoseconds> times) {
  if (times.empty()) return 0;
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

// Half a round trip with the partner; the lower rank begins and measures.
Picoseconds half_round_trip(MPI_Comm communicator, int rank, int partner, std::vector<char>& buffer, int bytes) {
  std::vector<Picoseconds> times;
  for (int i = 0; i < warm_up + repetitions; ++i) {
    const Picoseconds begin = machine::now();
    const auto send = [&] {
      check_mpi(MPI_Send(buffer.data(), bytes, MPI_CHAR, partner, 0, communicator), "MPI_Send");
    };
    if (rank < partner) send();
    check_mpi(MPI_Recv(buffer.data(), bytes, MPI_CHAR, partner, 0, communicator, MPI_STATUS_IGNORE), "MPI_Recv");
    if (rank > partner) send();
    if (i >= warm_up) times.push_back((machine::now() - begin) / 2);
  }
  return median(times);
}

Picoseconds copy_time(std::vector<char>& buffer) {
  std::vector<char> target(buffer.size());
  std::vector<Picoseconds> times;
  for (int i = 0; i < repetitions; ++i) {
    const Picoseconds begin = machine::now();
    std::memcpy(target.data(), buffer.data(), buffer.size());
    times.push_back(machine::now() - begin);
    buffer.front() = static_cast<char>(target.back() + 1);  // the copies must happen
  }
  return std::max<Picoseconds>(median(times), 1);
}

// What all ranks bring, on rank 0.
std::vector<Picoseconds> of_all_ranks(MPI_Comm communicator, int ranks, const std::vector<Picoseconds>& mine) {
  const int count = static_cast<int>(mine.size());
  std::vector<int> counts(static_cast<std::size_t>(ranks));
  check_mpi(MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, communicator), "MPI_Gather");
  std::vector<int> places(counts.size());
  for (std::size_t r = 1; r < counts.size(); ++r) places[r] = places[r - 1] + counts[r - 1];
  std::vector<Picoseconds> all(static_cast<std::size_t>(places.back() + counts.back()));
  check_mpi(MPI_Gatherv(mine.data(), count, MPI_INT64_T, all.data(), counts.data(), places.data(), MPI_INT64_T, 0,
                        communicator),
            "MPI_Gatherv");
  return all;
}

// With whom this rank exchanges round trips: ranks 1, 2, 4, ... away by exclusive or, and the neighbour on the side
// that this leaves out, for chains run along neighbours. All pairs of one round are disjoint.
std::vector<int> partners(int rank, int ranks) {
  std::vector<int> all;
  const auto add = [&](int partner) {
    if (partner >= 0 && partner < ranks) all.push_back(partner);
  };
  for (int distance = 1; distance < ranks; distance *= 2) add(rank ^ distance);
  add(rank % 2 == 0 ? rank - 1 : rank + 1);
  return all;
}

}  // namespace

Hockney measure_hockney(MPI_Comm communicator) {
  int rank = 0;
  int ranks = 1;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  std::vector<char> buffer(large);
  std::vector<Picoseconds> small_times;
  std::vector<Picoseconds> large_times;
  for (const int partner : partners(rank, ranks)) {
    const Picoseconds small_time = half_round_trip(communicator, rank, partner, buffer, 1);
    const Picoseconds large_time = half_round_trip(communicator, rank, partner, buffer, large);
    if (rank > partner) continue;
    small_times.push_back(small_time);
    large_times.push_back(large_time);
  }
  const std::vector<Picoseconds> latencies = of_all_ranks(communicator, ranks, small_times);
  const Picoseconds latency = median(latencies);
  const Picoseconds whole = median(of_all_ranks(communicator, ranks, large_times));
  const Picoseconds copy = median(of_all_ranks(communicator, ranks, {copy_time(buffer)}));

  Hockney::Parameters parameters;
  if (rank == 0) {
    const auto per_second = [](Picoseconds time) {
      return static_cast<BytesPerSecond>(static_cast<double>(large) / seconds(time));
    };
    parameters.latency = latency;
    parameters.longest_latency = latencies.empty() ? 0 : *std::max_element(latencies.begin(), latencies.end());
    parameters.memory_rate = per_second(copy);
    parameters.rate = whole > latency ? per_second(whole - latency) : parameters.memory_rate;
  }
  std::int64_t agreed[] = {parameters.latency, parameters.rate, parameters.memory_rate, parameters.longest_latency};
  check_mpi(MPI_Bcast(agreed, 4, MPI_INT64_T, 0, communicator), "MPI_Bcast");
  return Hockney({.latency = agreed[0], .rate = agreed[1], .memory_rate = agreed[2], .longest_latency = agreed[3]});
}

}  // namespace tombolo
