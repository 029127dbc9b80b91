// What a planned call costs beside the bare messages that it consists of and beside MPI's own collective: figures to
// look at, hidden from the usual run, as times are not asserted.
//
//   tests/support/mpirun 2 build/release/bin/test_collectives_mpi "[.overhead]"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <mpi.h>

#include <tombolo/collectives/mpi/native.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/platform/mpi/machine.hpp>

#include "collectives/tunings.hpp"

using namespace tombolo;

namespace {

const auto planner = std::make_shared<Planner>(Hockney({.latency = 1'000'000, .rate = 1'000'000'000}));
constexpr int calls = 2000;
constexpr int batches = 25;

struct Case {
  std::string name;
  std::function<void(int)> call;
  double nanoseconds = std::numeric_limits<double>::infinity();  // of one call, in the fastest batch
};

/// In turns, so that whatever disturbs the machine disturbs all.
void time(std::vector<Case>& cases) {
  for (int batch = 0; batch < batches; ++batch) {
    for (Case& each : cases) {
      MPI_Barrier(MPI_COMM_WORLD);
      const Picoseconds begin = machine::now();
      for (int i = 0; i < calls; ++i) each.call(i);
      each.nanoseconds = std::min(each.nanoseconds, static_cast<double>(machine::now() - begin) / 1000 / calls);
    }
  }
}

void print(const std::string& what, std::vector<Case> cases) {
  time(cases);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) return;
  for (const Case& each : cases) {
    std::cout << fmt::format("{:<22} {:<26} {:9.1f} ns  {:+8.1f} ns  {:5.2f} of the first\n", what, each.name,
                             each.nanoseconds, each.nanoseconds - cases[0].nanoseconds,
                             each.nanoseconds / cases[0].nanoseconds);
  }
}

}  // namespace

TEST_CASE("overhead of planned calls", "[.overhead]") {
  NativeCollectives native(MPI_COMM_WORLD);
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  const int ranks = planned.ranks();
  const auto by_mpi = std::make_shared<Planner>(*planner);
  Tuning tuning(test::hosts(ranks));
  for (const Decision& each : {test::flat(Operation::bcast, 0, 8), test::flat(Operation::bcast, ranks - 1, 8),
                               test::flat(Operation::allreduce, 0, 8)}) {
    Decision left_to_mpi = each;
    left_to_mpi.backend = Backend::native;
    tuning.keep(left_to_mpi);
  }
  by_mpi->use(std::move(tuning));
  PlannedCollectives aside(MPI_COMM_WORLD, by_mpi);
  const Rank me = planned.rank();
  MPI_Comm bare = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &bare);
  double in = 1;
  double out = 0;

  if (ranks == 2) {
    const Rank other = 1 - me;
    Persistent barrier = planned.persistent(Request::barrier(2), nullptr, nullptr, MPI_BYTE);
    std::vector<Persistent> broadcasts;
    for (const Rank root : {0, 1}) {
      broadcasts.push_back(planned.persistent(Request::bcast(2, root, 1, 8), nullptr, &in, MPI_DOUBLE));
    }
    print("bcast 8 B, 2 ranks",
          {{"send, receive",
            [&](int i) {
              if (i % 2 == me) {
                MPI_Send(&in, 1, MPI_DOUBLE, other, 0, bare);
              } else {
                MPI_Recv(&in, 1, MPI_DOUBLE, other, 0, bare, MPI_STATUS_IGNORE);
              }
            }},
           {"planned", [&](int i) { planned.bcast(&in, 1, MPI_DOUBLE, i % 2); }},
           {"planned, started and waited for",
            [&](int i) { planned.start(Request::bcast(2, i % 2, 1, 8), nullptr, &in, MPI_DOUBLE).wait(); }},
           {"planned, persistent",
            [&](int i) {
              Persistent& call = broadcasts[static_cast<std::size_t>(i % 2)];
              call.start();
              call.wait();
            }},
           {"native", [&](int i) { native.bcast(&in, 1, MPI_DOUBLE, i % 2); }},
           {"MPI_Bcast", [&](int i) { MPI_Bcast(&in, 1, MPI_DOUBLE, i % 2, bare); }},
           {"planned, stepping aside", [&](int i) { aside.bcast(&in, 1, MPI_DOUBLE, i % 2); }}});
    print("barrier, 2 ranks", {{"MPI_Sendrecv",
                                [&](int) {
                                  MPI_Sendrecv(nullptr, 0, MPI_BYTE, other, 0, nullptr, 0, MPI_BYTE, other, 0, bare,
                                               MPI_STATUS_IGNORE);
                                }},
                               {"planned", [&](int) { planned.barrier(); }},
                               {"planned, persistent",
                                [&](int) {
                                  barrier.start();
                                  barrier.wait();
                                }},
                               {"native", [&](int) { native.barrier(); }}});

    constexpr int segments = 64;
    constexpr std::int64_t each = 128;
    std::vector<double> vector(static_cast<std::size_t>(segments * each));
    std::vector<MPI_Request> requests(segments);
    std::vector<Persistent> pipelines;
    for (const Rank root : {0, 1}) {
      const Plan plan(Request::bcast(2, root, segments * each, 8), bcast_chain, {.segment_bytes = each * 8});
      pipelines.push_back(planned.persistent(plan, nullptr, vector.data(), MPI_DOUBLE));
    }
    print("bcast 64 x 1 KiB", {{"MPI_Isend, MPI_Irecv",
                                [&](int i) {
                                  for (int s = 0; s < segments; ++s) {
                                    double* const at = vector.data() + s * each;
                                    MPI_Request& request = requests[static_cast<std::size_t>(s)];
                                    if (i % 2 == me) {
                                      MPI_Isend(at, static_cast<int>(each), MPI_DOUBLE, other, s, bare, &request);
                                    } else {
                                      MPI_Irecv(at, static_cast<int>(each), MPI_DOUBLE, other, s, bare, &request);
                                    }
                                  }
                                  MPI_Waitall(segments, requests.data(), MPI_STATUSES_IGNORE);
                                }},
                               {"planned, persistent", [&](int i) {
                                  Persistent& call = pipelines[static_cast<std::size_t>(i % 2)];
                                  call.start();
                                  call.wait();
                                }}});
  }

  const std::string over = fmt::format(", {} ranks", ranks);
  print("allreduce 8 B" + over,
        {{"MPI_Allreduce", [&](int) { MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, bare); }},
         {"native", [&](int) { native.allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM); }},
         {"planned, stepping aside", [&](int) { aside.allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM); }},
         {"planned", [&](int) { planned.allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM); }}});

  for (int root = 0; root < ranks; ++root) {
    for (const std::int64_t count : {1, 10, 100}) planner->blocking(Request::bcast(ranks, root, count, 8), me);
  }
  const Blocks equal = Blocks::equal(ranks, 5);
  print("a kept plan",
        {{"request and bcast", [&](int i) { planner->blocking(Request::bcast(ranks, i % ranks, 10, 8), me); }},
         {"request and allgatherv", [&](int) { planner->blocking(Request::allgatherv(equal, 8), me); }},
         {"request and alltoallv",
          [&](int) { planner->blocking(Request::alltoallv(ranks, AlltoallCounts::equal(ranks, 5), 8), me); }}});
  MPI_Comm_free(&bare);
}
