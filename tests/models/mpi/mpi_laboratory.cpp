#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/mpi/mpi_laboratory.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/units.hpp>

#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

namespace {

using Kind = Experiment::Kind;

constexpr Picoseconds millisecond = 1'000'000'000;
constexpr Repeat short_series = {.least = 2, .most = 5, .precision = 0.5};

int ranks_of(MPI_Comm communicator) {
  int ranks = 0;
  MPI_Comm_size(communicator, &ranks);
  return ranks;
}

// A platform of which only the hosts matter here.
Platform with_ranks_per_host(int ranks, int per_host) {
  Platform platform;
  for (int rank = 0; rank < ranks; ++rank) {
    Processor processor;
    processor.host = "h" + std::to_string(rank / per_host);
    platform.processors.push_back(processor);
  }
  return platform;
}

// One of every kind for each pair of ranks; of many ranks, for some pairs.
std::vector<Experiment> one_of_each(int ranks) {
  std::vector<Experiment> batch;
  for (Rank a = 0; a < ranks; ++a) {
    for (Rank b = 0; b < ranks; ++b) {
      if (a == b || (ranks > 8 && (7 * a + b) % 5 != 0)) continue;
      const Rank c = std::max(a, b) + 1;
      batch.push_back({.kind = Kind::round_trip, .a = a, .b = b, .there = 3000, .back = 200});
      if (c < ranks) batch.push_back({.kind = Kind::one_to_two, .a = a, .b = b, .c = c, .there = 100, .back = 7000});
      batch.push_back({.kind = Kind::saturation, .a = a, .b = b, .there = 500, .count = 10});
      batch.push_back({.kind = Kind::send_overhead, .a = a, .b = b, .there = 100'000});
      batch.push_back({.kind = Kind::receive_overhead, .a = a, .b = b, .back = 20'000});
      batch.push_back({.kind = Kind::train, .a = a, .b = b, .there = 2'000, .count = 10});
      batch.push_back({.kind = Kind::exchange, .a = a, .b = b, .there = 70'000});
      batch.push_back({.kind = Kind::late_receive, .a = a, .b = b, .there = 100, .delay = millisecond / 10});
      batch.push_back({.kind = Kind::late_arrival, .a = a, .b = b, .there = 100'000, .delay = millisecond / 10});
    }
  }
  return batch;
}

bool same_on_all(MPI_Comm communicator, const std::vector<Measured>& times) {
  std::string bits;
  for (const Measured& time : times) bits += std::to_string(time.value) + ' ' + std::to_string(time.error) + ' ';
  return agreed(text_from(communicator, 0, bits) == bits, communicator);
}

bool all_positive(const std::vector<Measured>& times) {
  return std::all_of(times.begin(), times.end(), [](Measured time) { return time.value > 0 && time.error >= 0; });
}

}  // namespace

TEST_CASE("every kind of experiment is made between all pairs of ranks, however they share hosts") {
  const int ranks = ranks_of(MPI_COMM_WORLD);
  const std::vector<Experiment> batch = one_of_each(ranks);
  for (const int per_host : {1, 2, 3, 8}) {
    for (const bool serial : {false, true}) {
      MpiLaboratory laboratory(MPI_COMM_WORLD, with_ranks_per_host(ranks, per_host), {.serial = serial});
      const std::vector<Measured> times = laboratory.run(batch, {.least = 1, .most = 1});
      INFO(per_host << " ranks on a host, serial: " << serial);
      CHECK(agreed(times.size() == batch.size()));
      CHECK(agreed(all_positive(times)));
      CHECK(same_on_all(MPI_COMM_WORLD, times));
      const ExperimentCost cost = laboratory.cost();
      CHECK(agreed(cost.measurements == static_cast<std::int64_t>(batch.size())));
      CHECK(agreed(cost.messages >= 2 * cost.measurements && (cost.seconds > 0) == !batch.empty()));
    }
  }
}

TEST_CASE("experiments are repeated as often as asked, and the costs of batches add up") {
  const int ranks = ranks_of(MPI_COMM_WORLD);
  if (ranks < 2) return;
  MpiLaboratory laboratory(MPI_COMM_WORLD, with_ranks_per_host(ranks, 1));
  const Experiment pair = {.kind = Kind::round_trip, .a = ranks - 1, .b = 0, .there = 10};
  const Experiment late = {.kind = Kind::late_arrival, .a = 0, .b = ranks - 1, .there = 10, .delay = 10};
  const std::vector<Experiment> batch = {pair, late, pair};
  // So precise is nothing.
  const std::vector<Measured> times = laboratory.run(batch, {.least = 7, .most = 7, .precision = 0});
  CHECK(agreed(all_positive(times) && times.size() == 3));
  const ExperimentCost first = laboratory.cost();
  CHECK(agreed(first.measurements == (machine::simulated() ? 3 * 2 : 3 * 7)));
  laboratory.run(batch, short_series);
  const ExperimentCost both = laboratory.cost();
  CHECK(agreed(both.measurements >= first.measurements + 6 && both.measurements <= first.measurements + 15));
  CHECK(agreed(both.messages > first.messages && both.seconds > first.seconds));
}

TEST_CASE("it is told how many experiments have been made") {
  const int ranks = ranks_of(MPI_COMM_WORLD);
  std::vector<std::int64_t> made;
  MpiLaboratory laboratory(MPI_COMM_WORLD, with_ranks_per_host(ranks, 1),
                           {.progress = [&made](std::int64_t experiments) { made.push_back(experiments); }});
  const std::vector<Experiment> batch = one_of_each(ranks);
  for (int batches = 0; batches < 2; ++batches) laboratory.run(batch, short_series);
  const bool all = batch.empty() ? made.empty() : made.back() == 2 * std::ssize(batch);
  CHECK(agreed(all && std::is_sorted(made.begin(), made.end())));
}

TEST_CASE("more bytes take longer, and a sender waits for a receiver that is late") {
  const int ranks = ranks_of(MPI_COMM_WORLD);
  if (ranks < 2) return;
  MpiLaboratory laboratory(MPI_COMM_WORLD, with_ranks_per_host(ranks, 1));
  std::vector<Experiment> batch;
  for (const Bytes bytes : {0, 4'000'000}) {
    batch.push_back({.kind = Kind::round_trip, .a = 0, .b = 1, .there = bytes});
    batch.push_back({.kind = Kind::round_trip, .a = 1, .b = 0, .back = bytes});
    batch.push_back({.kind = Kind::exchange, .a = 0, .b = 1, .there = bytes});
    batch.push_back({.kind = Kind::saturation, .a = 0, .b = 1, .there = bytes, .count = 5});
    if (ranks > 2) batch.push_back({.kind = Kind::one_to_two, .a = 0, .b = 1, .c = 2, .there = bytes});
  }
  batch.push_back({.kind = Kind::late_receive, .a = 0, .b = 1, .there = 4'000'000, .delay = 50 * millisecond});
  // On a busy machine an empty message may wait for a core. Waiting lengthens times only: the least of some are
  // compared.
  std::vector<Picoseconds> least(batch.size(), std::numeric_limits<Picoseconds>::max());
  const std::size_t kinds = batch.size() / 2;
  bool longer = false;
  for (int attempt = 0; attempt < 20 && !longer; ++attempt) {
    const std::vector<Measured> times = laboratory.run(batch, short_series);
    CHECK(agreed(times.back().value > 40 * millisecond));
    longer = true;
    for (std::size_t i = 0; i < least.size(); ++i) least[i] = std::min(least[i], times[i].value);
    for (std::size_t kind = 0; kind < kinds; ++kind) longer = longer && least[kinds + kind] > least[kind];
  }
  CHECK(agreed(longer));
}

TEST_CASE("what cannot be measured is refused on all ranks") {
  const int ranks = ranks_of(MPI_COMM_WORLD);
  MpiLaboratory laboratory(MPI_COMM_WORLD, with_ranks_per_host(ranks, 1));
  const auto refused = [&](const Experiment& experiment) {
    bool thrown = false;
    try {
      laboratory.run(std::vector<Experiment>{experiment}, {});
    } catch (const Error&) {
      thrown = true;
    }
    return agreed(thrown);
  };
  CHECK(refused({.a = 0, .b = 0}));
  CHECK(refused({.a = 0, .b = ranks}));
  CHECK(refused({.kind = Kind::one_to_two, .a = 0, .b = 1, .c = 1}));
  CHECK(refused({.a = 0, .b = 1, .there = MpiLaboratory::largest_message + 1}));
  CHECK(refused({.a = 0, .b = 1, .back = -1}));
  CHECK(refused({.kind = Kind::saturation, .a = 0, .b = 1, .count = 0}));
  CHECK(refused({.kind = Kind::train, .a = 0, .b = 1, .there = MpiLaboratory::largest_message / 2, .count = 3}));
  CHECK(agreed(laboratory.run({}, {}).empty() && laboratory.cost() == ExperimentCost{}));
}

TEST_CASE("parts of the ranks experiment at the same time") {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
  const int ranks = ranks_of(part);
  const std::vector<Experiment> batch = one_of_each(ranks);
  std::vector<Measured> times;
  bool same = false;
  {
    MpiLaboratory laboratory(part, with_ranks_per_host(ranks, 2));
    times = laboratory.run(batch, short_series);
    same = same_on_all(part, times);
  }
  MPI_Comm_free(&part);
  CHECK(agreed(same && times.size() == batch.size() && all_positive(times)));
}
