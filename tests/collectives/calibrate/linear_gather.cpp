#include <algorithm>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/collectives/calibrate/linear_gather.hpp>
#include <tombolo/models/kinds/lmo/lmo.hpp>

#include "collectives/forms/form_models.hpp"
#include "collectives/forms/lmo_linear.hpp"
#include "models/test_platforms.hpp"

using namespace tombolo;
using forms::LmoLinear;

namespace {

constexpr PerMegabyte ps_per_byte = megabyte;
constexpr Bytes gather_small = 2000;
constexpr Bytes gather_large = 50'000;

// In whole picoseconds a byte, so that nothing is rounded.
LmoLinear random_gather(int others, std::mt19937& random) {
  const auto between = [&random](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  LmoLinear linear;
  linear.root_delay = between(1'000'000, 50'000'000);
  linear.root_per_byte = between(100, 2000) * ps_per_byte;
  for (int i = 0; i < others; ++i) {
    linear.others.push_back({.delay = between(1'000'000, 50'000'000),
                             .per_byte = between(100, 2000) * ps_per_byte,
                             .latency = between(0, 1) * between(1'000'000, 50'000'000),
                             .wire = between(500, 9000) * ps_per_byte});
  }
  linear.small_gather = gather_small;
  linear.large_gather = gather_large;
  linear.slope_small = between(-90, 5000) * others * ps_per_byte;
  linear.slope_large = between(-90, 5000) * others * ps_per_byte;
  return linear;
}

// Rank 0 is the root.
Lmo model_of(const LmoLinear& linear, const Platform& platform) {
  Lmo::Parameters parameters{.processors = {{linear.root_delay, linear.root_per_byte}},
                             .links = LinkTable(PairClasses(platform)),
                             .extended = true};
  Rank rank = 0;
  for (const LmoLinear::Other& other : linear.others) {
    parameters.processors.push_back({other.delay, other.per_byte});
    parameters.links.at(0, ++rank) = {other.latency, other.wire};
  }
  return Lmo(parameters);
}

MeasuredGather measured(const LmoLinear& linear) {
  return {.ranks = static_cast<int>(linear.others.size()) + 1,
          .thresholds = {.small = gather_small, .large = gather_large, .small_slope = 1, .large_slope = 1},
          .kappas = {.small = linear.slope_small, .large = linear.slope_large}};
}

Picoseconds flat_gather(const Model& model, int ranks, Bytes block) {
  return test::makespan(Request::gatherv(0, Blocks::equal(ranks, block), 1), gatherv_flat, model);
}

}  // namespace

TEST_CASE("gathers of blocks above M2 take what equation 10 says") {
  std::mt19937 random(21);
  for (int others = 1; others <= 24; ++others) {
    const Platform platform = flat_cluster(others + 1);
    const LmoLinear linear = random_gather(others, random);
    const Lmo lmo = model_of(linear, platform);
    const LinearGather model(platform, lmo, {measured(linear)});
    for (const Bytes block : {gather_large + 1, Bytes{1'000'000}}) {
      INFO(others << " others, blocks of " << block);
      CHECK(flat_gather(model, others + 1, block) == *linear.gather(block));
    }
    for (const Bytes block : {gather_small + 1, gather_large}) {
      CHECK(flat_gather(model, others + 1, block) == flat_gather(lmo, others + 1, block));
    }
  }
}

TEST_CASE("gathers of blocks up to M1 take what equation 9 says, where all ranks are equally far") {
  std::mt19937 random(22);
  for (int others = 1; others <= 24; ++others) {
    const Platform platform = flat_cluster(others + 1);
    LmoLinear linear = random_gather(others, random);
    for (const bool alike : {false, true}) {
      if (alike) std::ranges::fill(linear.others, linear.others.front());
      const Lmo lmo = model_of(linear, platform);
      const LinearGather model(platform, lmo, {measured(linear)});
      for (const Bytes block : {Bytes{1}, Bytes{100}, gather_small - 1}) {
        INFO(others << " others, blocks of " << block << (alike ? ", alike" : ""));
        const Picoseconds form = *linear.gather(block);
        const Picoseconds predicted = flat_gather(model, others + 1, block);
        CHECK(predicted <= form);
        if (alike) CHECK(predicted == form);
      }
    }
  }
}

TEST_CASE("a gather from some of the ranks has as much of kappa as it has messages") {
  std::mt19937 random(23);
  constexpr int others = 12;
  const Platform platform = flat_cluster(others + 1);
  const LmoLinear linear = random_gather(others, random);
  const Lmo lmo = model_of(linear, platform);
  const LinearGather model(platform, lmo, {measured(linear)});
  for (int some = 1; some <= others; ++some) {
    LmoLinear part = linear;
    part.others.resize(static_cast<std::size_t>(some));
    part.slope_large = linear.slope_large / others * some;
    CHECK(flat_gather(model, some + 1, 70'000) == *part.gather(70'000));
  }
}

TEST_CASE("messages between clusters, of clusters without thresholds and of sizes without a slope are the model's") {
  const Platform platform = clusters_of_hosts({{1, 1, 1}, {1, 1, 1}});
  const test::FunctionModel plain([](Rank, Rank, Bytes bytes) {
    return MessageCost{
        .overhead = 3, .send = 5 + bytes, .transit = 11 + bytes, .receive = bytes, .receive_overhead = 7};
  });
  MeasuredGather only_large{.ranks = 3, .thresholds = {.small = 10, .large = 10, .large_slope = 1}, .kappas = {9, 8}};
  const LinearGather model(platform, plain, {only_large, std::nullopt});
  const std::vector<Rank>& first = platform.levels.children[0].ranks;
  for (Rank from = 0; from < 6; ++from) {
    for (Rank to = 0; to < 6; ++to) {
      if (from == to) continue;
      const bool inside = std::ranges::count(first, from) + std::ranges::count(first, to) == 2;
      for (const Bytes bytes : {0, 10, 11, 2'000'000}) {
        const MessageCost cost = model.message(from, to, bytes);
        const MessageCost usual = plain.message(from, to, bytes);
        CHECK((cost.overhead == usual.overhead && cost.send == usual.send));
        if (inside && bytes > 10) {
          CHECK((cost.transit == 0 && cost.receive_overhead == 0));
          CHECK(cost.receive == 18 + 2 * bytes + scaled(bytes, 8, 2 * megabyte));
        } else {
          CHECK((cost.transit == usual.transit && cost.receive == usual.receive && cost.receive_overhead == 7));
        }
      }
    }
  }
  only_large.kappas.large = -100 * ps_per_byte;  // more than the message takes
  CHECK(LinearGather(platform, plain, {only_large, std::nullopt}).message(first[0], first[1], 100).receive == 0);
}
