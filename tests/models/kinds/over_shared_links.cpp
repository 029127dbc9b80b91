#include <memory>

#include <catch2/catch.hpp>

#include <tombolo/models/kinds/over_shared_links.hpp>
#include <tombolo/models/network/flows.hpp>

#include "models/closeness.hpp"
#include "models/figured_platform.hpp"
#include "models/random_models.hpp"

using namespace tombolo;

namespace {

// Two clusters of eight hosts and one of two, links between them of known totals.
Platform grid(unsigned seed) {
  Platform platform = with_figures(clusters_of_hosts({std::vector<int>(8, 1), std::vector<int>(8, 1), {2, 1}}), seed);
  for (Link& link : platform.links) link.total = {50'000'000, 0};
  return platform;
}

template <class Inner>
std::unique_ptr<Model> over(const Platform& platform, const Inner& model) {
  return OverSharedLinks::wrap(platform, std::make_unique<Inner>(model));
}

template <class Inner>
void check_alone(const Platform& platform, const Inner& model) {
  const std::unique_ptr<Model> wrapped = over(platform, model);
  REQUIRE(wrapped->network() != nullptr);
  CHECK(wrapped->name() == model.name());
  CHECK(wrapped->describe() == model.describe());
  CHECK(wrapped->local(12345) == model.local(12345));
  CHECK(wrapped->longest_latency() == model.longest_latency());
  const PairClasses classes(platform);
  for (Rank a = 0; a < platform.ranks(); ++a) {
    for (Rank b = 0; b < platform.ranks(); ++b) {
      if (a == b) continue;
      const bool inside = classes.cluster_of(a) == classes.cluster_of(b);
      for (const Bytes bytes : {0, 1, 1000, 70'000, 3'000'000}) {
        const Picoseconds expected = message_time(model, a, b, bytes);
        const Picoseconds alone = message_time(*wrapped, a, b, bytes);
        if (inside) CHECK(alone == expected);
        if (!inside) CHECK(off(alone, expected) < 1e-6);
        if (inside) CHECK(wrapped->message(a, b, bytes).flow.bytes == 0);
      }
    }
  }
}

}  // namespace

TEST_CASE("alone, a message takes what the model says; inside clusters nothing changes") {
  for (unsigned seed = 0; seed < 3; ++seed) {
    Platform platform = grid(seed);
    for (Link& link : platform.links) link.total = {20'000'000'000, 0};  // more than any model gives a message
    RandomModels models(platform, seed);
    check_alone(platform, models.hockney());
    check_alone(platform, models.hockney_pairs());
    check_alone(platform, models.logp(1024));
    check_alone(platform, models.loggp());
    check_alone(platform, models.plogp());
    check_alone(platform, models.lmo(seed % 2 == 0));
  }
}

TEST_CASE("messages together over a link take as long as the link says") {
  const Platform platform = grid(4);
  constexpr Bytes bytes = 10'000'000;
  // Alone, each would get 40 MB/s of 50.
  const std::unique_ptr<Model> model =
      over(platform, Hockney({.latency = 30'000'000, .rate = 40'000'000, .longest_latency = 30'000'000}));
  const PairClasses classes(platform);
  const std::vector<Rank>& from = classes.members(0);
  const std::vector<Rank>& to = classes.members(1);
  for (const int k : {1, 2, 3, 5, 8}) {
    Flows flows(*model->network());
    Picoseconds end = 0;
    for (int i = 0; i < k; ++i) {
      const auto place = static_cast<std::size_t>(i);
      flows.start(i, from[place], to[place], model->message(from[place], to[place], bytes).flow, 0);
    }
    while (!flows.empty()) {
      end = flows.next_end();
      flows.end(end);
    }
    CHECK(seconds(end) == Approx(k == 1 ? 0.25 : 0.2 * k).epsilon(0.001));
  }
}

TEST_CASE("without links that are shared, or over a network already, a model stays what it is") {
  const Platform alike = with_figures(flat_cluster(4), 1);
  CHECK(over(alike, RandomModels(alike, 1).hockney())->network() == nullptr);
  const Platform platform = grid(1);
  auto inner = over(platform, RandomModels(platform, 1).hockney());
  const Model* const before = inner.get();
  CHECK(OverSharedLinks::wrap(platform, std::move(inner)).get() == before);
}
