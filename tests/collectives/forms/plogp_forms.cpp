// The predictor says what the closed forms in pLogP say, on platforms that meet their assumptions.
#include <bit>
#include <cmath>

#include <catch2/catch.hpp>

#include "collectives/forms/alltoall.hpp"
#include "collectives/forms/broadcast.hpp"
#include "collectives/forms/log2.hpp"
#include "collectives/forms/scatter.hpp"
#include "form_models.hpp"

using namespace tombolo;
using test::bent_gap;
using test::makespan;
using test::model_of;

namespace {

bool power_of_two(int ranks) {
  return std::has_single_bit(static_cast<unsigned>(ranks));
}

// Latencies smaller and larger than any gap that occurs.
std::vector<forms::Plogp> networks() {
  return {{.latency = 0, .gap = bent_gap},
          {.latency = 50'000'000, .gap = bent_gap},
          {.latency = 90'000'000'000, .gap = bent_gap}};
}

}  // namespace

TEST_CASE("logarithms of numbers of ranks") {
  CHECK((forms::log2_floor(1) == 0 && forms::log2_ceil(1) == 0));
  for (int ranks = 2; ranks < 5000; ++ranks) {
    const int floor = static_cast<int>(std::bit_width(static_cast<unsigned>(ranks))) - 1;
    CHECK(forms::log2_floor(ranks) == floor);
    CHECK(forms::log2_ceil(ranks) == floor + (power_of_two(ranks) ? 0 : 1));
  }
}

TEST_CASE("the forms of Table 1 read as they are printed") {
  const Picoseconds latency = 7'000'000;
  const auto g = bent_gap;
  const forms::Plogp plain{.latency = latency, .gap = g};
  const forms::Plogp rendezvous = with_rendezvous(plain);
  const Bytes m = 6000;
  const Bytes s = 500;
  const int k = 12;
  for (const int ranks : {2, 3, 7, 8, 9, 24}) {
    const int floor = static_cast<int>(std::log2(ranks));
    const int ceil = static_cast<int>(std::ceil(std::log2(ranks)));
    CHECK(flat_broadcast(plain, ranks, m) == (ranks - 1) * g(m) + latency);
    CHECK(flat_broadcast(rendezvous, ranks, m) == (ranks - 1) * g(m) + 2 * g(1) + 3 * latency);
    CHECK(flat_broadcast(plain, ranks, s, k) == (ranks - 1) * (g(s) * k) + latency);
    CHECK(chain_broadcast(plain, ranks, m) == (ranks - 1) * (g(m) + latency));
    CHECK(chain_broadcast(rendezvous, ranks, m) == (ranks - 1) * (g(m) + 2 * g(1) + 3 * latency));
    CHECK(chain_broadcast(plain, ranks, s, k) == (ranks - 1) * (g(s) + latency) + g(s) * (k - 1));
    CHECK(binary_broadcast_bound(plain, ranks, m) == ceil * (2 * g(m) + latency));
    CHECK(binomial_broadcast(plain, ranks, m) == floor * g(m) + ceil * latency);
    CHECK(binomial_broadcast(rendezvous, ranks, m) == floor * g(m) + ceil * (2 * g(1) + 3 * latency));
    CHECK(binomial_broadcast(plain, ranks, s, k) == floor * g(s) * k + ceil * latency);
  }
  CHECK(flat_broadcast(plain, 1, m) + chain_broadcast(plain, 1, m) + binary_broadcast_bound(plain, 1, m) == 0);
  CHECK(binomial_broadcast(plain, 1, m) + flat_scatter(plain, 1, m) + chain_scatter(plain, 1, m) == 0);
}

TEST_CASE("broadcasts whole and with a rendezvous") {
  for (const forms::Plogp& eager : networks()) {
    for (const forms::Plogp& plogp : {eager, with_rendezvous(eager)}) {
      const auto model = model_of(plogp);
      for (int ranks = 2; ranks <= 34; ++ranks) {
        for (const Bytes bytes : {1, 1000, 50'000}) {
          const Request request = Request::bcast(ranks, ranks / 3, bytes, 1);
          const Picoseconds binomial = makespan(request, bcast_binomial, model);
          CHECK(makespan(request, bcast_flat, model) == flat_broadcast(plogp, ranks, bytes));
          CHECK(makespan(request, bcast_chain, model) == chain_broadcast(plogp, ranks, bytes));
          CHECK(makespan(request, bcast_binary, model) <= binary_broadcast_bound(plogp, ranks, bytes));
          if (power_of_two(ranks)) {
            CHECK(binomial == binomial_broadcast(plogp, ranks, bytes));
          } else {
            CHECK(binomial <= binomial_broadcast(plogp, ranks, bytes) + bent_gap(bytes));
            CHECK(binomial >= binomial_broadcast(plogp, ranks, bytes) + bent_gap(bytes) - plogp.latency);
          }
        }
      }
    }
  }
}

TEST_CASE("broadcasts in segments") {
  for (const forms::Plogp& plogp : networks()) {
    const auto model = model_of(plogp);
    for (const int ranks : {2, 3, 4, 7, 8, 16, 21}) {
      for (const Bytes segment : {1000, 1600}) {
        for (const int k : {1, 2, 10}) {
          const Request request = Request::bcast(ranks, ranks - 1, k * segment, 1);
          const Parameters cut = {.segment_bytes = segment};
          CHECK(makespan(request, bcast_flat, model, cut) == flat_broadcast(plogp, ranks, segment, k));
          CHECK(makespan(request, bcast_chain, model, cut) == chain_broadcast(plogp, ranks, segment, k));
          if (!power_of_two(ranks)) continue;
          CHECK(makespan(request, bcast_binomial, model, cut) == binomial_broadcast(plogp, ranks, segment, k));
        }
      }
    }
  }
}

TEST_CASE("scatters and gathers") {
  for (const forms::Plogp& plogp : networks()) {
    const auto model = model_of(plogp);
    for (int ranks = 2; ranks <= 34; ++ranks) {
      for (const std::int64_t block : {1, 700, 20'000}) {
        const Rank root = ranks / 2;
        const Request scatter = Request::scatterv(root, Blocks::equal(ranks, block), 1);
        const Request gather = Request::gatherv(root, Blocks::equal(ranks, block), 1);
        CHECK(makespan(scatter, scatterv_flat, model) == flat_scatter(plogp, ranks, block));
        CHECK(makespan(gather, gatherv_flat, model) == flat_scatter(plogp, ranks, block));
        CHECK(makespan(scatter, scatterv_chain, model) == chain_scatter(plogp, ranks, block));
        CHECK(makespan(gather, gatherv_chain, model) == chain_scatter(plogp, ranks, block));
        if (power_of_two(ranks)) {
          CHECK(makespan(scatter, scatterv_binomial, model) == binomial_scatter(plogp, ranks, block));
          CHECK(makespan(gather, gatherv_binomial, model) == binomial_scatter(plogp, ranks, block));
        } else {
          CHECK(makespan(scatter, scatterv_binomial, model) <= binomial_scatter(plogp, ranks, block));
          CHECK(makespan(gather, gatherv_binomial, model) <= binomial_scatter(plogp, ranks, block));
        }
      }
    }
  }
}

TEST_CASE("exchanges stay within their bounds where processors are less busy than links") {
  for (forms::Plogp plogp : networks()) {
    plogp.sending = [](Bytes bytes) { return bent_gap(bytes) / 3; };
    plogp.receiving = [](Bytes bytes) { return bent_gap(bytes) / 4; };
    const test::FunctionModel model([&](Rank, Rank, Bytes bytes) {
      return MessageCost{.overhead = plogp.sending(bytes),
                         .send = plogp.gap(bytes),
                         .transit = plogp.latency,
                         .receive = plogp.gap(bytes),
                         .receive_overhead = plogp.receiving(bytes)};
    });
    for (const int ranks : {2, 3, 8, 17}) {
      for (const std::int64_t block : {1, 3000}) {
        const forms::AlltoallBounds bounds = alltoall_bounds(plogp, ranks, block);
        const Request request = Request::alltoallv(ranks, AlltoallCounts::equal(ranks, block), 1);
        const Picoseconds direct = makespan(request, alltoallv_direct, model);
        CHECK(bounds.lower <= direct);
        CHECK(direct <= bounds.upper);
      }
    }
    const forms::AlltoallBounds bounds = alltoall_bounds(plogp, 24, 3000);
    CHECK(bounds.lower == 23 * (bent_gap(3000) / 3) + 23 * (bent_gap(3000) / 4) + plogp.latency);
    CHECK(bounds.upper == 23 * bent_gap(3000) + 23 * (bent_gap(3000) / 4) + plogp.latency);
    CHECK(bounds.at(0) == bounds.lower);
    CHECK(bounds.at(one_in_millionths) == bounds.upper);
    CHECK(std::abs(5 * (bounds.at(400'000) - bounds.lower) - 2 * (bounds.upper - bounds.lower)) < 5);
  }
  CHECK(forms::alltoall_bounds({.latency = 5, .gap = bent_gap}, 1, 10).upper == 0);
}

TEST_CASE("forms end at the end of time") {
  const forms::Plogp endless{.latency = never / 2, .gap = [](Bytes) { return never / 3; }};
  CHECK(flat_broadcast(endless, 1000, 1, 1000) == never);
  CHECK(chain_broadcast(endless, 1000, 1, 1000) == never);
  CHECK(binary_broadcast_bound(endless, 1000, 1) == never);
  CHECK(binomial_scatter(endless, 1000, 1) == never);
  CHECK(chain_scatter(endless, 1000, 1) == never);
  CHECK(with_rendezvous(endless).latency == never);
}
