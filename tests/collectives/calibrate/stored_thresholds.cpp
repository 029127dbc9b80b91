#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/collectives/calibrate/scopes.hpp>
#include <tombolo/collectives/calibrate/stored_thresholds.hpp>
#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/models/kinds/lmo/lmo.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/units.hpp>

#include "collectives/choose_by_model.hpp"
#include "models/figured_platform.hpp"
#include "models/random_models.hpp"

using namespace tombolo;

namespace {

constexpr Picoseconds millisecond = 1'000'000'000;
const Hockney model({.latency = 50'000'000, .rate = 12'500'000});

Thresholds found() {
  return {.scope = "all",
          .ranks = 16,
          .scatter = 65'536,
          .above_scatter = SizeTime{.size = 92'681, .time = 12},
          .gather = GatherThresholds{.small = 2000, .large = 100'000, .small_slope = 5, .large_slope = -7},
          .kappas = GatherSlopes{.small = -3, .large = 11},
          .escalation = 100 * millisecond};
}

Request gather(Bytes block) {
  return Request::gatherv(3, Blocks::equal(16, block), 1);
}

std::vector<Candidate> rivals(const Request& request, const Thresholds* thresholds) {
  return candidates(request, [](const Request&, const Algorithm&) -> const Model& { return model; },
                    {.thresholds = thresholds});
}

const Candidate* throttled(const std::vector<Candidate>& all) {
  for (const Candidate& candidate : all) {
    if (candidate.plan.algorithm().throttles) return &candidate;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("thresholds are stored in a platform and read back") {
  Platform platform;
  CHECK(stored_thresholds(platform).empty());
  CHECK(thresholds_of({}, "all") == nullptr);
  const std::vector<Thresholds> all = {found(), {.scope = "none \"found\"", .ranks = 3}};
  store_thresholds(platform, all);
  CHECK(stored_thresholds(platform) == all);
  CHECK(thresholds_of(all, "all") == &all[0]);
  CHECK(thresholds_of(all, "none \"found\"") == &all[1]);
  CHECK(thresholds_of(all, "c0") == nullptr);
}

TEST_CASE("thresholds of earlier versions are read") {
  Platform platform;
  platform.sections[thresholds_section] = R"([{"scope": "a", "ranks": 4, "scatter": {"serial_above_bytes": 7}}])";
  CHECK(stored_thresholds(platform) == std::vector<Thresholds>{{.scope = "a", .ranks = 4, .scatter = 7}});
}

TEST_CASE("a section of thresholds that is not right is refused in a line that says where") {
  const auto refused = [](const char* text, const char* words) {
    Platform platform;
    platform.sections[thresholds_section] = text;
    CHECK_THROWS_WITH(stored_thresholds(platform), Catch::Contains("thresholds") && Catch::Contains(words));
  };
  refused("{", "section");
  refused("{}", "list");
  refused(R"([{"ranks": 4}])", "scope");
  refused(R"([{"scope": "a", "ranks": 1}])", "two ranks");
  refused(R"([{"scope": "a", "ranks": 4, "scatter": {"serial_above_bytes": -1}}])", "less than 0");
  refused(R"([{"scope": "a", "ranks": 4, "scatter": {"serial_above_bytes": 1, "next_bytes": 2}}])", "next_ps");
  refused(R"([{"scope": "a", "ranks": 4, "gather": {"small_bytes": 2}}])", "large_bytes");
  refused(R"([{"scope": "a", "ranks": 4, "gather": {"small_bytes": 2, "large_bytes": 1,
            "small_slope_ps_per_megabyte": 1, "large_slope_ps_per_megabyte": 1, "escalation_ps": 1}}])",
          "more than");
  refused(R"([{"scope": "a", "ranks": 4}, {"scope": "a", "ranks": 4}])", "same scope");
}

TEST_CASE("a gather between M1 and M2 is throttled to half of what is known to fit") {
  CHECK_FALSE(throttle_for(found(), gather(2000)).has_value());
  CHECK(throttle_for(found(), gather(2001))->window == 15 * 2000 / 2 / 2001);
  CHECK(throttle_for(found(), gather(100'000))->window == 1);
  CHECK_FALSE(throttle_for(found(), gather(100'001)).has_value());
  CHECK_FALSE(throttle_for(found(), Request::scatterv(3, Blocks::equal(16, 5000), 1)).has_value());
  Thresholds calm = found();
  calm.escalation = 0;
  CHECK_FALSE(throttle_for(calm, gather(5000)).has_value());
}

TEST_CASE("few ranks may all send at once what many may not") {
  const auto throttle = [](int ranks, Bytes block) {
    return throttle_for(found(), Request::gatherv(0, Blocks::equal(ranks, block), 1));
  };
  constexpr Bytes safe = 15 * 2000 / 2;
  for (int ranks = 2; ranks <= 32; ++ranks) {
    for (const Bytes block : {2001, 5000, 15'000, 40'000, 100'000}) {
      INFO(ranks << " ranks, blocks of " << block);
      const auto found = throttle(ranks, block);
      CHECK(found.has_value() == ((ranks - 1) * block > safe));
      if (found) CHECK(found->window < ranks);
    }
  }
}

TEST_CASE("a throttled gather is in the race where a flat one escalates, and nowhere else") {
  const Thresholds thresholds = found();
  for (const Bytes block : {1000, 200'000}) {
    const auto all = rivals(gather(block), &thresholds);
    CHECK(throttled(all) == nullptr);
    CHECK(choose(gather(block), model, {.thresholds = &thresholds}) == choose(gather(block), model));
  }
  const auto without = candidates(gather(16'384), model);
  CHECK(throttled(without) == nullptr);
  const auto with = rivals(gather(16'384), &thresholds);
  REQUIRE(throttled(with) != nullptr);
  const auto flat = [](const std::vector<Candidate>& all) {
    return std::find_if(all.begin(), all.end(), [](const Candidate& c) { return c.plan.algorithm().name == "flat"; });
  };
  CHECK(flat(with)->predicted == flat(without)->predicted + 100 * millisecond);
  CHECK(throttled(with)->predicted >= flat(without)->predicted);
  CHECK(throttled(with)->predicted < flat(with)->predicted);
  CHECK(throttled(with)->plan.parameters().window == throttle_for(thresholds, gather(16'384))->window);
  CHECK(prove(throttled(with)->plan).holds());
}

namespace {

constexpr GatherThresholds fitted{.small = 1000, .large = 9000, .small_slope = 300'000'000, .large_slope = 700'000'000};

std::vector<Thresholds> of_scopes(const Platform& platform) {
  std::vector<Thresholds> all;
  for (const Scope& scope : scopes_of(platform)) {
    all.push_back({.scope = scope.name, .ranks = static_cast<int>(scope.ranks.size()), .gather = fitted});
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
      CHECK(found[i].kappas->small == fitted.small_slope - root - most);
      CHECK(found[i].kappas->large == fitted.large_slope - root - sum);
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
