#include <catch2/catch.hpp>

#include <tombolo/models/kinds/lmo/lmo_design.hpp>
#include <tombolo/models/kinds/lmo/lmo_estimate.hpp>

#include "models/closeness.hpp"
#include "models/model_laboratory.hpp"
#include "models/random_models.hpp"
#include "models/test_platforms.hpp"

using namespace tombolo;

namespace {

constexpr Bytes usual = 32'768;

// How far parameters are off at most, each as a part of the message of 32 KiB that it is a part of.
struct Offs {
  double fixed = 0;     // C, of an empty message
  double variable = 0;  // t
  double latency = 0;   // L, of an empty message
  double wire = 0;      // 1 / beta
};

Offs offs(const Lmo::Parameters& found, const Lmo& model, int ranks) {
  Offs worst;
  const auto raise = [](double& to, double value) { to = std::max(to, value); };
  const Lmo::Parameters& wanted = model.parameters();
  for (Rank a = 0; a < ranks; ++a) {
    for (Rank b = 0; b < ranks; ++b) {
      if (a == b) continue;
      const auto rank = static_cast<std::size_t>(a);
      const Picoseconds empty = message_time(model, a, b, 0);
      const Picoseconds full = message_time(model, a, b, usual);
      const auto time = [](PerMegabyte inverse) { return time_for(usual, inverse); };
      const LinkCost& link = found.links.at(a, b);
      const LinkCost& exact = wanted.links.at(a, b);
      raise(worst.fixed, off(found.processors[rank].fixed, wanted.processors[rank].fixed, empty));
      raise(worst.latency, off(link.latency, exact.latency, empty));
      raise(worst.variable,
            off(time(found.processors[rank].per_megabyte), time(wanted.processors[rank].per_megabyte), full));
      raise(worst.wire, off(time(link.per_megabyte), time(exact.per_megabyte), full));
    }
  }
  return worst;
}

// Whether parameters can be told apart. Those of ranks in clusters of one or two come from triplets with long links,
// which are within C where the model has no latency, and whose noise drowns C where it has.
bool determined(const Platform& platform, bool extended, double noise) {
  const PairClasses classes(platform);
  if (platform.ranks() < 3) return false;
  if (extended && noise == 0) return true;
  for (int cluster = 0; cluster < classes.clusters(); ++cluster) {
    if (classes.members(cluster).size() < 3) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("LMO's parameters are found, with noise close to it") {
  for (const bool extended : {false, true}) {
    Worst fixed(extended ? "lmo-extended: C, of an empty message" : "lmo: C, of an empty message");
    Worst variable(extended ? "lmo-extended: M t, of a message" : "lmo: M t, of a message");
    Worst latency(extended ? "lmo-extended: L, of an empty message" : "lmo: L, of an empty message");
    Worst wire(extended ? "lmo-extended: M / beta, of a message" : "lmo: M / beta, of a message");
    Worst times(extended ? "lmo-extended: messages" : "lmo: messages");
    unsigned seed = extended ? 400 : 300;
    for (const Platform& platform : test_platforms()) {
      for (std::size_t i = 0; i < allowances.size(); ++i) {
        const Lmo model = RandomModels(platform, ++seed).lmo(extended);
        ModelLaboratory laboratory(model, {.percent = allowances[i].percent, .seed = seed});
        const Lmo found(estimate_lmo(platform, laboratory, {.extended = extended}));
        INFO(found.name() << ", " << platform.ranks() << " ranks, " << allowances[i].percent << " % noise");
        const double messages = times_off(found, model, platform.ranks(), {0, 1000, 10'000, usual});
        times.add(i, messages);
        CHECK(messages < allowances[i].most);
        if (!determined(platform, extended, allowances[i].percent)) continue;
        const Offs worst = offs(found.parameters(), model, platform.ranks());
        fixed.add(i, worst.fixed);
        variable.add(i, worst.variable);
        latency.add(i, worst.latency);
        wire.add(i, worst.wire);
        CHECK(worst.fixed < allowances[i].most);
        CHECK(worst.variable < allowances[i].most);
        CHECK(worst.latency < allowances[i].most);
        CHECK(worst.wire < allowances[i].most);
      }
    }
  }
}

TEST_CASE("on 16 ranks without noise, every experiment is made once") {
  const Platform platform = flat_cluster(16);
  const Lmo model = RandomModels(platform, 1).lmo(false);
  ModelLaboratory laboratory(model);
  estimate_lmo(platform, laboratory, {});
  // 10 sizes three times between three pairs, then two round trips of each pair and three one-to-two of each triplet.
  CHECK(laboratory.cost().measurements == 10 * 3 * 3 + 2 * 120 + 3 * 560);
  ModelLaboratory given(model);
  estimate_lmo(platform, given, {.size = 10'000});
  CHECK(given.cost().measurements == 2 * 120 + 3 * 560);
  const Lmo with_latencies = RandomModels(platform, 1).lmo(true);
  ModelLaboratory extended(with_latencies);
  estimate_lmo(platform, extended, {.extended = true, .size = 10'000});
  // Empty or full one-to-two by turns.
  CHECK(extended.cost().measurements == 2 * 120 + 3 * 560);
}

TEST_CASE("noise makes it repeat; a machine that is not as the model has it does not") {
  constexpr std::int64_t sample = 2 * 16;  // made once more, to see whether times vary
  const Platform platform = flat_cluster(16);
  const std::int64_t once = 2 * 120 + 3 * 560;
  const Lmo model = RandomModels(platform, 2).lmo(false);
  ModelLaboratory noisy(model, {.percent = 5});
  estimate_lmo(platform, noisy, {.size = 10'000});
  CHECK(noisy.cost().measurements >= 3 * once);
  CHECK(noisy.cost().measurements <= 10 * once + sample);
  // Its latencies the plain model does not know.
  const Lmo other = RandomModels(platform, 2).lmo(true);
  ModelLaboratory strange(other);
  estimate_lmo(platform, strange, {.size = 10'000});
  CHECK(strange.cost().measurements == once + sample);
  ModelLaboratory strange_and_noisy(other, {.percent = 1});
  estimate_lmo(platform, strange_and_noisy, {.size = 10'000});
  CHECK(strange_and_noisy.cost().measurements >= 2 * once + sample);
  // Replies that it does not expect: the same for the extended model.
  ModelLaboratory overlapped(model, {}, true);
  const Lmo::Parameters once_made = estimate_lmo(platform, overlapped, {.extended = true, .size = 10'000});
  CHECK(overlapped.cost().measurements <= once + sample);
  ModelLaboratory all_made(model, {}, true);
  const Lmo::Parameters often_made =
      estimate_lmo(platform, all_made, {.extended = true, .averaging = Averaging::median, .size = 10'000});
  for (std::size_t rank = 0; rank < once_made.processors.size(); ++rank) {
    CHECK(off(once_made.processors[rank].fixed, often_made.processors[rank].fixed) < 0.001);
  }
}

TEST_CASE("medians and trimmed means over the triplets stand outliers, averages do not") {
  const Platform platform = flat_cluster(12);
  std::array<double, 3> worst = {};
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Lmo model = RandomModels(platform, seed).lmo(true);
    for (const Averaging averaging : {Averaging::mean, Averaging::trimmed, Averaging::median}) {
      ModelLaboratory laboratory(model, {.percent = 5, .outliers = 0.02, .seed = seed});
      const Lmo::Parameters found =
          estimate_lmo(platform, laboratory, {.extended = true, .averaging = averaging, .size = usual});
      const Offs off = offs(found, model, platform.ranks());
      double& of_kind = worst[static_cast<std::size_t>(averaging)];
      of_kind = std::max({of_kind, off.fixed, off.variable, off.latency, off.wire});
    }
  }
  INFO("mean " << worst[0] << ", trimmed " << worst[1] << ", median " << worst[2]);
  if (std::getenv("TOMBOLO_FIGURES") != nullptr) {
    std::cerr << fmt::format(
        "lmo-extended, 5 % noise, 2 % outliers: mean {:.2f} %, trimmed {:.2f} %, median {:.2f} %\n", 100 * worst[0],
        100 * worst[1], 100 * worst[2]);
  }
  CHECK(worst[1] < 0.08);
  CHECK(worst[2] < 0.08);
  CHECK(worst[0] > 2 * worst[2]);
}

TEST_CASE("where roots overlap work on answers with waiting, that can be said") {
  for (const bool extended : {false, true}) {
    for (const int ranks : {3, 8}) {
      const Platform platform = flat_cluster(ranks);
      const Lmo model = RandomModels(platform, 7).lmo(extended);
      ModelLaboratory laboratory(model, {}, true);
      const Lmo::Parameters found =
          estimate_lmo(platform, laboratory, {.extended = extended, .replies = Replies::overlapped});
      const Offs right = offs(found, model, ranks);
      CHECK(std::max({right.fixed, right.variable, right.latency, right.wire}) < 0.001);
      const Offs wrong = offs(estimate_lmo(platform, laboratory, {.extended = extended}), model, ranks);
      CHECK((extended ? wrong.fixed : wrong.variable) > 0.001);
    }
  }
}

TEST_CASE("a negative 1 / beta, as cut-through gives, is kept") {
  const Platform platform = flat_cluster(5);
  Lmo::Parameters parameters = RandomModels(platform, 9).lmo(true).parameters();
  for (LinkCost& link : parameters.links.inside(0)) link.per_megabyte = -50'000'000;
  const Lmo model(parameters);
  ModelLaboratory laboratory(model);
  const Lmo::Parameters found = estimate_lmo(platform, laboratory, {.extended = true});
  for (const LinkCost& link : found.links.inside(0)) CHECK(off(link.per_megabyte, -50'000'000) < 0.01);
}

TEST_CASE("large clusters are sampled, and stay as good") {
  const Platform platform = clusters_of_hosts({std::vector<int>(40, 1), {2, 1}});
  const Lmo model = RandomModels(platform, 3).lmo(true);
  ModelLaboratory laboratory(model);
  const Lmo found(estimate_lmo(platform, laboratory, {.extended = true}));
  double worst = 0;
  for (std::size_t rank = 0; rank < found.parameters().processors.size(); ++rank) {
    worst = std::max(worst, off(found.parameters().processors[rank].fixed, model.parameters().processors[rank].fixed));
  }
  CHECK(worst < 0.001);
  CHECK(times_off(found, model, 16, {0, 1000, usual}) < 0.001);
}

TEST_CASE("the size of messages stays below a jump") {
  const Platform platform = flat_cluster(4);
  const PairClasses classes(platform);
  class Jump : public Laboratory {
   public:
    Bytes at = 0;
    Picoseconds error = 0;
    std::vector<Measured> run(std::span<const Experiment> experiments, const Repeat&) override {
      std::vector<Measured> times;
      for (const Experiment& e : experiments) {
        times.push_back({100'000 + 8 * e.there + (e.there > at ? 70'000 : 0), error});
      }
      return times;
    }
    ExperimentCost cost() const override { return {}; }
  };
  Jump laboratory;
  for (const auto& [at, expected] :
       {std::pair<Bytes, Bytes>{5000, 4096}, {8192, 8192}, {16'000, 8192}, {40'960, 8192}, {1 << 20, 8192}}) {
    laboratory.at = at;
    CHECK(regular_size(classes, laboratory) == expected);
  }
  laboratory.error = 2000;
  for (const auto& [at, expected] :
       {std::pair<Bytes, Bytes>{5000, 4096}, {8192, 8192}, {16'000, 12'288}, {40'960, 32'768}, {1 << 20, 32'768}}) {
    laboratory.at = at;
    CHECK(regular_size(classes, laboratory) == expected);
  }
  CHECK(regular_size(PairClasses(flat_cluster(1)), laboratory) == 8192);
}

TEST_CASE("one rank, and two ranks that share the latency") {
  const Platform alone = flat_cluster(1);
  const Lmo nothing = RandomModels(alone, 1).lmo(false);
  ModelLaboratory empty(nothing);
  CHECK(estimate_lmo(alone, empty, {}).processors.size() == 1);
  const Platform two = flat_cluster(2);
  for (const bool extended : {false, true}) {
    const Lmo model = RandomModels(two, 1).lmo(extended);
    ModelLaboratory laboratory(model);
    const Lmo found(estimate_lmo(two, laboratory, {.extended = extended}));
    CHECK(found.parameters().processors[0] == found.parameters().processors[1]);
    CHECK(times_off(found, model, 2, {0, 1000, usual}) < 0.001);
  }
}
