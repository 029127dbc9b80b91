// What exchanges cost, beyond that they are right: no element moves more often than it must, and no round takes longer
// than its largest message.

#include <bit>

#include <catch2/catch.hpp>

#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>

using namespace tombolo;

namespace {

const Hockney model({.latency = 30'000'000, .rate = 1'000'000'000, .memory_rate = 1'000'000'000'000'000});
constexpr Picoseconds per_byte = 1000;

Picoseconds makespan(const Request& request, const Algorithm& algorithm, const Parameters& parameters = {}) {
  return predict(Plan(request, algorithm, parameters), model).makespan;
}

Picoseconds rounds(int ranks, int radix = 2) {
  Picoseconds count = 0;
  for (int reach = 1; reach < ranks; reach *= radix) ++count;
  return count;
}

// Local work takes next to nothing in this model.
bool is_about(Picoseconds time, Picoseconds expected) {
  return time >= expected && time <= expected + expected / 100;
}

}  // namespace

TEST_CASE("an allgatherv moves each block to each other rank once, however uneven blocks and groups are") {
  for (const int ranks : {2, 3, 6, 8, 13, 32, 37}) {
    std::vector<std::int64_t> counts;
    for (int rank = 0; rank < ranks; ++rank) counts.push_back(rank * 7 % 5);
    const Request request = Request::allgatherv(Blocks(counts), 8);
    const std::int64_t least = request.blocks.total() * (ranks - 1);
    for (const Algorithm* algorithm : algorithms_for(request)) {
      INFO(algorithm->name << " over " << ranks);
      if (algorithm == &allgatherv_gather_bcast) continue;  // it broadcasts to all what some have
      CHECK(prove(Plan(request, *algorithm)).elements_moved == least);
    }
  }
}

TEST_CASE("a reduce_scatter by exchange and an allreduce by shares move no more than the bound") {
  for (const int ranks : {2, 3, 6, 8, 13, 32, 37}) {
    const std::int64_t count = std::int64_t{11} * ranks;
    const Request scatter = Request::reduce_scatter(Blocks::equal(ranks, 11), 8);
    for (const Algorithm* algorithm : {&reduce_scatter_recursive_halving, &reduce_scatter_recursive_multiplying,
                                       &reduce_scatter_direct, &reduce_scatter_ring}) {
      INFO(algorithm->name << " over " << ranks);
      CHECK(prove(Plan(scatter, *algorithm)).elements_moved >= count * (ranks - 1));
    }
    CHECK(prove(Plan(scatter, reduce_scatter_ring)).elements_moved == count * (ranks - 1));
    CHECK(prove(Plan(scatter, reduce_scatter_direct)).elements_moved == count * (ranks - 1));
    CHECK(prove(Plan(Request::allreduce(ranks, count, 8), allreduce_ring)).elements_moved == 2 * count * (ranks - 1));
    // Every rank gets what it lacks once, beside what is scattered.
    const Request bcast = Request::bcast(ranks, ranks / 2, count, 8);
    CHECK(prove(Plan(bcast, bcast_scatter_ring_allgather)).elements_moved == count * (ranks - 1));
    CHECK(prove(Plan(bcast, bcast_scatter_allgather)).elements_moved == count * (ranks - 1));
  }
}

TEST_CASE("exchanges take what their closed forms say") {
  for (int ranks = 2; ranks <= 40; ++ranks) {
    const bool is_power = std::has_single_bit(static_cast<unsigned>(ranks));
    const std::int64_t block = 5000;
    const Request request = Request::allgatherv(Blocks::equal(ranks, block), 1).with_in_place(true);
    INFO(ranks << " ranks");
    CHECK(makespan(request, allgatherv_ring) == (ranks - 1) * model.time(block));
    CHECK(makespan(request, allgatherv_direct) == (ranks - 1) * model.time(block));
    const Picoseconds bytes = (ranks - 1) * block * per_byte;
    CHECK(makespan(request, allgatherv_bruck) == rounds(ranks) * model.time(0) + bytes);
    if (is_power) CHECK(makespan(request, allgatherv_recursive_doubling) == rounds(ranks) * model.time(0) + bytes);
    if (ranks % 2 == 0) CHECK(makespan(request, allgatherv_neighbor_exchange) == ranks / 2 * model.time(0) + bytes);
    for (const int radix : {2, 3, 8}) {
      CHECK(makespan(Request::barrier(ranks), barrier_dissemination, {.radix = radix}) >=
            rounds(ranks, radix) * model.time(0));
    }
    const std::int64_t count = std::int64_t{5000} * ranks;
    const Request combined = Request::allreduce(ranks, count, 1);
    CHECK(is_about(makespan(combined, allreduce_ring), 2 * (ranks - 1) * model.time(5000)));
    if (is_power) {
      CHECK(is_about(makespan(combined, allreduce_rabenseifner), 2 * (rounds(ranks) * model.time(0) + bytes)));
      CHECK(is_about(makespan(combined, allreduce_recursive_doubling), rounds(ranks) * model.time(count)));
      CHECK(is_about(makespan(Request::scan(ranks, count, 1), scan_recursive_doubling),
                     rounds(ranks) * model.time(count)));
      CHECK(is_about(makespan(Request::exscan(ranks, count, 1), exscan_recursive_doubling),
                     rounds(ranks) * model.time(count)));
    }
    CHECK(is_about(makespan(Request::scan(ranks, count, 1), scan_chain), (ranks - 1) * model.time(count)));
  }
}
