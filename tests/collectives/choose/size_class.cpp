#include <random>

#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/choose/size_class.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>

#include "models/test_platforms.hpp"

using namespace tombolo;

TEST_CASE("a size class has sizes from its own down to two thirds or three quarters of it") {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    const Bytes element = std::int64_t{1} << (random() % 5);
    const auto count = static_cast<std::int64_t>(random() >> (random() % 44 + 20));
    const Request request = Request::bcast(5, 3, count, element);
    const Request like = size_class(request);
    CHECK(like.count >= count);
    CHECK(like.count * element <= count * element * 3 / 2 + element);
    CHECK(size_class(like) == like);
    CHECK(size_class(Request::allgatherv(Blocks::equal(5, count), element)).blocks == Blocks::equal(5, like.count));
    CHECK(size_class(Request::alltoallv(5, AlltoallCounts::equal(5, count), element)).exchange ==
          AlltoallCounts::equal(5, like.count));
  }
}

TEST_CASE("powers of two and empty requests are their own class, and so are unequal blocks") {
  for (int k = 0; k < 40; ++k)
    CHECK(size_class(Request::bcast(4, 0, std::int64_t{1} << k, 1)).count == std::int64_t{1} << k);
  CHECK(size_class(Request::bcast(4, 0, 0, 8)).count == 0);
  CHECK(size_class(Request::barrier(4)) == Request::barrier(4));
  const Request uneven = Request::allgatherv(Blocks({5, 100, 7}), 8);
  CHECK(size_class(uneven) == uneven);
  const Request unknown = Request::gatherv(0, Blocks({5, Blocks::unknown}), 8);
  CHECK(size_class(unknown) == unknown);
}

TEST_CASE("a planner that shares plans within classes makes them for the size at hand, and they hold") {
  std::mt19937 random(7);
  for (const int ranks : {2, 5, 12}) {
    Planner planner(Hockney({.latency = 50'000'000, .rate = 125'000'000}));
    planner.share_within_classes();
    for (const Operation operation : all_operations()) {
      for (const std::int64_t count : {1, 700, 1000, 1023, 300'000, 300'001}) {
        Request request = Request::barrier(ranks);
        if (sizes(operation) == Sizes::vector) request = Request::of_vector(operation, ranks, 1, count, 8);
        if (sizes(operation) == Sizes::blocks)
          request = Request::of_blocks(operation, 1, Blocks::equal(ranks, count), 8);
        if (sizes(operation) == Sizes::exchange) {
          request = Request::of_exchange(operation, ranks, AlltoallCounts::equal(ranks, count), 8);
        }
        const Plan plan = planner.plan(request);
        CHECK(plan.request() == request);
        const Plan of_class = planner.plan(size_class(request));
        CHECK(&plan.algorithm() == &of_class.algorithm());
        CHECK(plan.parameters() == of_class.parameters());
        const Proof proof = prove(plan);
        INFO(plan.describe());
        CHECK(proof.holds());
      }
    }
  }
}

TEST_CASE("requests are alike whose counts of blocks differ by an eighth at most") {
  const auto gather = [](std::vector<std::int64_t> counts) {
    return Request::gatherv(1, Blocks(std::move(counts)), 8);
  };
  CHECK(alike(gather({400, 0, 400}), gather({400, 0, 400})));
  CHECK(alike(gather({400, 0, 400}), gather({350, 0, 400})));
  CHECK_FALSE(alike(gather({400, 0, 400}), gather({400, 400, 0})));
  CHECK_FALSE(alike(gather({400, 0, 400}), gather({200, 0, 400})));
  CHECK_FALSE(alike(gather({400, 0}), gather({400, 0, 0})));
  CHECK_FALSE(alike(gather({400, 0, 400}), Request::gatherv(0, Blocks({400, 0, 400}), 8)));
  CHECK_FALSE(alike(gather({400, 0, 400}), Request::gatherv(1, Blocks({400, 0, 400}), 4)));

  const auto exchange = [](const std::vector<std::vector<std::int64_t>>& rows) {
    return Request::alltoallv(static_cast<int>(rows.size()), AlltoallCounts::matrix(rows), 8);
  };
  CHECK(alike(exchange({{0, 90}, {90, 20}}), exchange({{5, 90}, {85, 20}})));
  CHECK_FALSE(alike(exchange({{0, 90}, {90, 20}}), exchange({{90, 0}, {20, 90}})));
  const auto product = [](std::int64_t last) {
    return Request::alltoallv(3, AlltoallCounts::product(Blocks({8, 8, last}), Blocks({1, 2, 3})), 8);
  };
  CHECK(alike(product(8), product(9)));
  CHECK_FALSE(alike(product(8), product(80)));

  const Request unknown = Request::alltoallv(3, AlltoallCounts::of_rank(0, Blocks({1, 2, 3}), Blocks({1, 0, 0})), 8);
  CHECK_FALSE(alike(unknown, product(8)));
  CHECK_FALSE(alike(Request::bcast(3, 0, 8, 8), Request::bcast(3, 0, 9, 8)));
}
