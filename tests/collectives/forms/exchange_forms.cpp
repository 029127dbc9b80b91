// Total exchanges: with contention, and in two phases over clusters.
#include <catch2/catch.hpp>

#include <tombolo/collectives/calibrate/contention.hpp>
#include <tombolo/collectives/plan/schedule_writer.hpp>

#include "collectives/forms/grid_exchange.hpp"
#include "form_models.hpp"

using namespace tombolo;
using test::makespan;

TEST_CASE("exchanges take what equations 4 and 5 say where every message is slowed by as much") {
  const ContentionSignature none{.latency = 60'000'000, .rate = 12'500'000};
  ContentionSignature gigabit = none;  // section 6.2
  gigabit.gamma = 4'362'800;
  gigabit.delta = 4'930'000'000;
  gigabit.threshold = 8192;
  for (const ContentionSignature& signature : {none, gigabit}) {
    const auto model = test::one_port([&](Rank, Rank, Bytes m) {
      const Picoseconds transfer = scaled(transfer_time(m, signature.rate), signature.gamma, one_in_millionths);
      return signature.latency + transfer + (m >= signature.threshold ? signature.delta : 0);
    });
    for (const int n : {2, 3, 8, 13}) {
      for (const std::int64_t m : {1, 8191, 8192, 100'000}) {
        const Request request = Request::alltoallv(n, AlltoallCounts::equal(n, m), 1);
        CHECK(makespan(request, alltoallv_pairwise, model) == contended_alltoall(signature, n, m));
        CHECK(makespan(request, alltoallv_direct, model) == contended_alltoall(signature, n, m));
      }
    }
  }
  CHECK(contended_alltoall(none, 40, 1'000'000) == 39 * (60'000'000 + 80'000'000'000));
  CHECK(contended_alltoall(gigabit, 40, 8192) - contended_alltoall(gigabit, 40, 8191) >= 39 * gigabit.delta);
  CHECK(contended_alltoall(none, 1, 1'000'000) == 0);
}

namespace {

constexpr Picoseconds far = 5'000'000'000;
Picoseconds long_link(Bytes bytes) {
  return far + 20'000 * bytes;
}

// The second phase of section 7 between two clusters of n1 <= n2 ranks, the first n1 of which are in the smaller one.
Picoseconds second_phase(int n1, int n2, std::int64_t m) {
  std::vector<Schedule> schedules;
  for (Rank rank = 0; rank < n1 + n2; ++rank) {
    ScheduleWriter writer;
    const auto exchange = [&](Rank other, std::int64_t at) {
      writer.send(other, {{Buffer::input, at, n1 * m}});
      writer.receive(other, {{Buffer::output, at, n1 * m}});
    };
    if (rank < n1) {
      for (int other = rank; other < n2; other += n1) exchange(n1 + other, m * n1 * other);
    } else {
      exchange((rank - n1) % n1, 0);
    }
    schedules.push_back(std::move(writer).finish());
  }
  const auto model = test::one_port([](Rank, Rank, Bytes bytes) { return long_link(bytes); });
  return predict(schedules, 1, model).makespan;
}

// Rank i of each of so many clusters of n ranks sends to rank i of the next cluster, of the one after that, ...
Picoseconds second_phase_in_turns(int clusters, int n, std::int64_t m) {
  std::vector<Schedule> schedules;
  const int ranks = clusters * n;
  for (Rank rank = 0; rank < ranks; ++rank) {
    ScheduleWriter writer;
    for (int turn = 1; turn < clusters; ++turn) {
      writer.send((rank + turn * n) % ranks, {{Buffer::input, m * n * turn, n * m}});
      writer.receive((rank + ranks - turn * n) % ranks, {{Buffer::output, m * n * turn, n * m}});
    }
    schedules.push_back(std::move(writer).finish());
  }
  const auto model = test::one_port([](Rank, Rank, Bytes bytes) { return long_link(bytes); });
  return predict(schedules, 1, model).makespan;
}

Picoseconds between(int, int, Bytes bytes) {
  return long_link(bytes);
}

}  // namespace

TEST_CASE("exchanges between two clusters take what equation 6 says, with n1 blocks a message") {
  for (const int n1 : {1, 2, 3, 7}) {
    for (const int n2 : {7, 8, 14, 20}) {
      const std::vector<forms::ClusterExchange> clusters = {{n1, 800'000'000}, {n2, 300'000'000}};
      const std::vector<forms::ClusterExchange> turned = {clusters[1], clusters[0]};
      for (const std::int64_t m : {1, 4000}) {
        const Picoseconds form = grid_exchange(clusters, between, m);
        CHECK(form == 800'000'000 + (n2 + n1 - 1) / n1 * long_link(n1 * m));
        CHECK(form == 800'000'000 + second_phase(n1, n2, m));
        CHECK(form == grid_exchange(turned, between, m));
      }
    }
  }
}

TEST_CASE("of many clusters the rank that sends longest counts") {
  for (const int count : {1, 2, 3, 4, 7}) {
    for (const int n : {1, 4}) {
      const std::vector<forms::ClusterExchange> clusters(static_cast<std::size_t>(count), {n, 1'000'000});
      CHECK(grid_exchange(clusters, between, 500) == 1'000'000 + second_phase_in_turns(count, n, 500));
    }
  }
  // Of 2, 4 and 6 ranks: those of the first send 2 + 3 messages of two blocks, one of the second 1 of two and 2 of
  // four.
  const std::vector<forms::ClusterExchange> clusters = {{2, 0}, {4, 0}, {6, 0}};
  CHECK(grid_exchange(clusters, between, 10) == 5 * long_link(20));
  const auto slow_pair = [](int a, int b, Bytes bytes) { return (a + b == 3 ? 9 : 1) * long_link(bytes); };
  CHECK(grid_exchange(clusters, slow_pair, 10) == long_link(20) + 18 * long_link(40));
}
