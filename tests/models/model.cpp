#include <algorithm>
#include <numeric>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/models/kinds/over_shared_links.hpp>
#include <tombolo/models/model.hpp>

#include "models/closeness.hpp"
#include "models/figured_platform.hpp"
#include "models/random_models.hpp"

using namespace tombolo;

namespace {

bool same_routes(const Network& one, Rank a, Rank b, const Network& other, Rank c, Rank d) {
  const Network::Route x = one.route(a, b);
  const Network::Route y = other.route(c, d);
  return x.uses == y.uses && x.weight == y.weight;
}

}  // namespace

TEST_CASE("some of the ranks see the model as it is, under their own numbers") {
  std::mt19937 random(3);
  for (unsigned seed = 0; seed < 20; ++seed) {
    Platform platform = with_figures(clusters_of_hosts({{2, 1, 1}, {1, 1}, {1, 2}}), seed);
    if (seed % 2 == 0) platform.levels.children[0].uplink = {80'000'000, 0};
    const auto model =
        OverSharedLinks::wrap(platform, std::make_unique<HockneyPairs>(RandomModels(platform, seed).hockney_pairs()));
    std::vector<Rank> some(static_cast<std::size_t>(platform.ranks()));
    std::iota(some.begin(), some.end(), 0);
    std::shuffle(some.begin(), some.end(), random);
    some.resize(1 + random() % some.size());
    const OnRanks part(*model, some);
    CHECK(part.name() == model->name());
    CHECK(part.describe() == model->describe());
    CHECK(part.local(999) == model->local(999));
    REQUIRE((part.network() == nullptr) == (model->network() == nullptr));
    if (part.network() != nullptr) CHECK(part.network()->rates() == model->network()->rates());
    for (std::size_t a = 0; a < some.size(); ++a) {
      for (std::size_t b = 0; b < some.size(); ++b) {
        if (a == b) continue;
        const auto from = static_cast<Rank>(a);
        const auto to = static_cast<Rank>(b);
        CHECK(message_time(part, from, to, 100'000) == message_time(*model, some[a], some[b], 100'000));
        if (part.network() == nullptr) continue;
        CHECK(same_routes(*part.network(), from, to, *model->network(), some[a], some[b]));
      }
      if (a > 0) {
        const Picoseconds latency = message_time(*model, some[0], some[a], 0);
        CHECK(part.longest_latency() >= std::min(latency, model->longest_latency()));
      }
    }
    CHECK(part.longest_latency() <= model->longest_latency());
    if (some.size() == 1) CHECK(part.longest_latency() == 0);
  }
}
