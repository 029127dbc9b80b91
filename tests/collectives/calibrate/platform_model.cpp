#include <algorithm>

#include <catch2/catch.hpp>

#include <tombolo/collectives/calibrate/platform_model.hpp>
#include <tombolo/collectives/calibrate/scopes.hpp>
#include <tombolo/collectives/calibrate/stored_thresholds.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/models/kinds/lmo/lmo.hpp>

#include "collectives/forms/form_models.hpp"
#include "collectives/forms/lmo_linear.hpp"
#include "models/figured_platform.hpp"
#include "models/random_models.hpp"

using namespace tombolo;

namespace {

constexpr Bytes serial_above = 3000;
constexpr GatherThresholds of_gathers{
    .small = 2000, .large = 40'000, .small_slope = 400'000'000'000, .large_slope = 700'000'000'000};

Estimates both_lmo(const Platform& platform, unsigned seed) {
  RandomModels random(platform, seed);
  return {{"lmo", {written_lmo(random.lmo(false).parameters()), {}}},
          {"lmo-extended", {written_lmo(random.lmo(true).parameters()), {}}}};
}

// Of every cluster of three ranks and more, among the clusters, and among all.
Platform with_thresholds(Platform platform) {
  std::vector<Thresholds> all;
  for (const Scope& scope : scopes_of(platform)) {
    const int ranks = static_cast<int>(scope.ranks.size());
    if (ranks < 3) continue;
    all.push_back({.scope = scope.name, .ranks = ranks, .scatter = serial_above, .gather = of_gathers});
  }
  store_thresholds(platform, all);
  return platform;
}

bool alike(const MessageCost& a, const MessageCost& b) {
  return a.overhead == b.overhead && a.send == b.send && a.transit == b.transit && a.wire == b.wire &&
         a.receive == b.receive && a.receive_overhead == b.receive_overhead && a.flow.bytes == b.flow.bytes &&
         a.flow.most == b.flow.most;
}

forms::LmoLinear linear_of(const Lmo::Parameters& lmo, int ranks) {
  forms::LmoLinear linear;
  linear.root_delay = lmo.processors[0].fixed;
  linear.root_per_byte = lmo.processors[0].per_megabyte;
  for (Rank rank = 1; rank < ranks; ++rank) {
    const auto& processor = lmo.processors[static_cast<std::size_t>(rank)];
    const LinkCost& link = lmo.links.at(0, rank);
    linear.others.push_back({processor.fixed, processor.per_megabyte, link.latency, link.per_megabyte});
  }
  linear.serial_scatter = serial_above;
  linear.small_gather = of_gathers.small;
  linear.large_gather = of_gathers.large;
  linear.slope_small = linear.kappa_small(of_gathers.small_slope);
  linear.slope_large = linear.kappa_large(of_gathers.large_slope);
  return linear;
}

}  // namespace

TEST_CASE("without thresholds, models are the stored ones") {
  for (const Platform& platform : test_platforms()) {
    const Estimates estimates = both_lmo(platform, 5);
    for (const auto& [name, estimate] : estimates) {
      const PlatformModel model = platform_model(platform, estimates, name);
      const auto stored = stored_model(platform, estimates, name);
      CHECK(model.linear_gather == nullptr);
      CHECK(&model.for_algorithm(gatherv_flat) == model.usual.get());
      for (Rank from = 0; from < platform.ranks(); ++from) {
        for (Rank to = 0; to < from; ++to) {
          CHECK(alike(model.usual->message(from, to, 70'000), stored->message(from, to, 70'000)));
        }
      }
    }
  }
}

TEST_CASE("S and gather thresholds of a cluster hold for messages inside it, for both LMO models") {
  for (const Platform& bare : test_platforms()) {
    const Platform platform = with_thresholds(bare);
    const PairClasses classes(platform);
    const Estimates estimates = both_lmo(platform, 6);
    for (const auto& [name, estimate] : estimates) {
      const PlatformModel model = platform_model(platform, estimates, name);
      CHECK(model.usual->name() == name);
      const auto stored = stored_model(platform, estimates, name);
      bool any = false;
      for (Rank from = 0; from < platform.ranks(); ++from) {
        for (Rank to = 0; to < platform.ranks(); ++to) {
          if (from == to) continue;
          const int cluster = classes.cluster_of(from);
          const bool known = cluster == classes.cluster_of(to) && classes.members(cluster).size() > 2;
          any = any || known;
          for (const Bytes bytes : {Bytes{0}, serial_above, serial_above + 1, Bytes{70'000}}) {
            MessageCost expected = stored->message(from, to, bytes);
            if (known && bytes > serial_above) expected.send = message_time(*stored, from, to, bytes);
            CHECK(alike(model.usual->message(from, to, bytes), expected));
          }
        }
      }
      CHECK((model.linear_gather != nullptr) == any);
      CHECK(&model.for_algorithm(gatherv_binomial) == model.usual.get());
      CHECK(&model.for_algorithm(scatterv_flat) == model.usual.get());
      if (any) CHECK(&model.for_algorithm(gatherv_flat) == model.linear_gather.get());
    }
  }
}

TEST_CASE("flat scatters and gathers of a cluster take what equations 8 and 10 say with the stored thresholds") {
  for (const int ranks : {3, 4, 7, 16, 31}) {
    const Platform platform = with_thresholds(flat_cluster(ranks));
    const Estimates estimates = both_lmo(platform, 7);
    for (const auto& [name, estimate] : estimates) {
      const PlatformModel model = platform_model(platform, estimates, name);
      const forms::LmoLinear linear = linear_of(read_lmo(platform, estimate.parameters, name == "lmo-extended"), ranks);
      const auto near = [ranks](Picoseconds a, Picoseconds b) { return std::abs(a - b) <= 3 * ranks; };  // rounding
      for (const Bytes block : {Bytes{41'000}, Bytes{1'000'000}}) {
        INFO(name << ", " << ranks << " ranks, blocks of " << block);
        const Blocks blocks = Blocks::equal(ranks, block);
        CHECK(near(test::makespan(Request::scatterv(0, blocks, 1), scatterv_flat, model.for_algorithm(scatterv_flat)),
                   linear.scatter(block)));
        CHECK(near(test::makespan(Request::gatherv(0, blocks, 1), gatherv_flat, model.for_algorithm(gatherv_flat)),
                   *linear.gather(block)));
      }
      // Up to M1 the form is an upper bound, as not all blocks come at the same time.
      const auto small = [&](Bytes block) {
        return test::makespan(Request::gatherv(0, Blocks::equal(ranks, block), 1), gatherv_flat,
                              model.for_algorithm(gatherv_flat));
      };
      CHECK(small(1999) <= *linear.gather(1999) + 3 * ranks);
      CHECK(small(1999) > small(1000));
    }
  }
}

TEST_CASE("S holds where scatters above it take more than half-way from messages in parallel to one after the other") {
  for (const int ranks : {3, 8, 20}) {
    Platform platform = flat_cluster(ranks);
    const Estimates estimates = both_lmo(platform, 9);
    for (const auto& [name, estimate] : estimates) {
      forms::LmoLinear linear = linear_of(read_lmo(platform, estimate.parameters, name == "lmo-extended"), ranks);
      const Picoseconds in_turn = linear.scatter(5000);
      linear.serial_scatter = 5000;
      const Picoseconds parallel = linear.scatter(5000);
      for (const int quarters : {0, 1, 3, 4}) {
        const Picoseconds time = parallel + (in_turn - parallel) / 4 * quarters;
        store_thresholds(platform, {{.scope = "c0",
                                     .ranks = ranks,
                                     .scatter = serial_above,
                                     .above_scatter = SizeTime{.size = 5000, .time = time}}});
        const PlatformModel model = platform_model(platform, estimates, name);
        const bool serial = model.usual->message(0, 1, 5000).send == message_time(*model.usual, 0, 1, 5000);
        CHECK(serial == (quarters > 2));
      }
    }
  }
}

TEST_CASE("a stored kappa of lmo is taken as it stands") {
  Platform platform = flat_cluster(5);
  store_thresholds(
      platform,
      {{.scope = "c0", .ranks = 5, .gather = of_gathers, .kappas = GatherSlopes{.small = 0, .large = 4'000'000'000}}});
  const Estimates estimates = both_lmo(platform, 8);
  const PlatformModel model = platform_model(platform, estimates, "lmo");
  CHECK(model.linear_gather->message(1, 0, 1'000'000).receive ==
        message_time(*model.usual, 1, 0, 1'000'000) + 1'000'000'000);
}

TEST_CASE("a model without an estimate is refused, with thresholds too") {
  const Platform platform = with_thresholds(flat_cluster(4));
  CHECK_THROWS_WITH(platform_model(platform, {}, "lmo"), Catch::Contains("no estimate of the model lmo"));
  Platform wrong = platform;
  wrong.sections[thresholds_section] = "{}";
  CHECK_THROWS_WITH(platform_model(wrong, both_lmo(platform, 1), "lmo"), Catch::Contains("thresholds"));
}
