#include <algorithm>
#include <limits>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/collectives/calibrate/gather_thresholds/kappas.hpp>
#include <tombolo/collectives/calibrate/models/scopes.hpp>
#include <tombolo/models/kinds/lmo/lmo.hpp>
#include <tombolo/models/kinds/stored_models.hpp>

#include "models/figured_platform.hpp"
#include "models/random_models.hpp"

using namespace tombolo;

namespace {

constexpr GatherThresholds gather{.small = 1000, .large = 9000, .small_slope = 300'000'000, .large_slope = 700'000'000};

std::vector<Thresholds> of_scopes(const Platform& platform) {
  std::vector<Thresholds> all;
  for (const Scope& scope : scopes_of(platform)) {
    all.push_back({.scope = scope.name, .ranks = static_cast<int>(scope.ranks.size()), .gather = gather});
  }
  return all;
}

Lmo::Parameters stored_lmo(Platform& platform, unsigned seed) {
  const Lmo lmo = RandomModels(platform, seed).lmo(false);
  store_estimates(platform, {{"lmo", {written_lmo(lmo.parameters()), {}}}});
  return lmo.parameters();
}

}  // namespace

TEST_CASE("kappas are what slopes have beyond those of the platform's LMO model, scope by scope") {
  for (Platform platform : test_platforms()) {
    platform = with_figures(platform, 3);
    const Lmo::Parameters lmo = stored_lmo(platform, 4);
    std::vector<Thresholds> found = of_scopes(platform);
    add_kappas(found, platform);
    const std::vector<Scope> scopes = scopes_of(platform);
    REQUIRE(found.size() == scopes.size());
    for (std::size_t i = 0; i < scopes.size(); ++i) {
      const std::vector<Rank>& ranks = scopes[i].ranks;
      const auto delay = [&](Rank rank) { return lmo.processors[static_cast<std::size_t>(rank)].per_megabyte; };
      PerMegabyte root = 0;
      PerMegabyte most = std::numeric_limits<PerMegabyte>::lowest();
      PerMegabyte sum = 0;
      for (const Rank rank : ranks) {
        if (rank == ranks.front()) continue;
        const PerMegabyte one = delay(rank) + lmo.links.at(rank, ranks.front()).per_megabyte;
        root += delay(ranks.front());
        most = std::max(most, one);
        sum += one;
      }
      INFO(scopes[i].name << " of " << ranks.size());
      REQUIRE(found[i].kappas.has_value());
      CHECK(found[i].kappas->small == gather.small_slope - root - most);
      CHECK(found[i].kappas->large == gather.large_slope - root - sum);
    }
  }
}

TEST_CASE("there are no kappas without a model, without thresholds or of ranks that the platform does not have") {
  Platform platform = with_figures(flat_cluster(5), 3);
  std::vector<Thresholds> found = of_scopes(platform);
  add_kappas(found, platform);
  CHECK_FALSE(found.front().kappas.has_value());
  stored_lmo(platform, 4);
  found.front().scope = "elsewhere";
  add_kappas(found, platform);
  CHECK_FALSE(found.front().kappas.has_value());
  found = of_scopes(platform);
  found.front().gather.reset();
  add_kappas(found, platform);
  CHECK_FALSE(found.front().kappas.has_value());
}

TEST_CASE("kappas that are known stay") {
  Platform platform = with_figures(flat_cluster(5), 3);
  stored_lmo(platform, 4);
  std::vector<Thresholds> found = of_scopes(platform);
  found.front().kappas = GatherSlopes{.small = 1, .large = -2};
  const std::vector<Thresholds> before = found;
  add_kappas(found, platform);
  CHECK(found == before);
}
