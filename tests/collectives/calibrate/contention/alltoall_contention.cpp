#include <algorithm>
#include <utility>

#include <catch2/catch.hpp>

#include <tombolo/collectives/calibrate/contention/alltoall_contention.hpp>
#include <tombolo/collectives/calibrate/contention/stored_contention.hpp>
#include <tombolo/collectives/calibrate/models/scopes.hpp>
#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/platform/description/members.hpp>

#include "models/figured_platform.hpp"
#include "platform/part_of_platform.hpp"

using namespace tombolo;

namespace {

Platform two_clusters(int hosts, unsigned seed) {
  const std::vector<int> one_each(static_cast<std::size_t>(hosts), 1);
  Platform platform = with_figures(clusters_of_hosts({one_each, one_each}), seed);
  for (Link& link : platform.links) link.total = {2 * link.rate.value, 0};
  return platform;
}

Request exchange(int ranks, std::int64_t each) {
  return Request::alltoallv(ranks, AlltoallCounts::equal(ranks, each), 1);
}

const Candidate* find(const std::vector<Candidate>& all, const Algorithm& algorithm, int window) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Candidate& candidate) {
    const Parameters& parameters = candidate.plan.parameters();
    return &candidate.plan.algorithm() == &algorithm && parameters.window == window && parameters.segment_bytes == 0;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("the closed form of a direct exchange is near its simulation where links are what limits it") {
  for (unsigned seed = 0; seed < 12; ++seed) {
    for (const int hosts : {2, 5, 9}) {
      const Platform platform = two_clusters(hosts, seed);
      const int ranks = platform.ranks();
      const Planner planner(platform);
      const Request request = exchange(ranks, 200'000);
      const Model& model = planner.model_for(request, alltoallv_direct);
      const auto form = AlltoallContention(platform, all_in_order(ranks), nullptr).direct(request, model);
      REQUIRE(form.has_value());
      const Picoseconds simulated = predict(Plan(request, alltoallv_direct), model).makespan;
      INFO("seed " << seed << ", " << ranks << " ranks: " << *form << " for " << simulated);
      CHECK(static_cast<double>(*form) / static_cast<double>(simulated) == Approx(1).epsilon(0.35));
    }
  }
}

TEST_CASE("counts that are no product have no closed form") {
  const Platform platform = two_clusters(2, 1);
  const Planner planner(platform);
  const auto request =
      Request::alltoallv(4, AlltoallCounts::matrix({{1, 2, 3, 4}, {4, 3, 2, 1}, {0, 0, 0, 9}, {1, 0, 0, 0}}), 1);
  const LinkContention measured{.gamma = {3'000'000, 3'000'000, 3'000'000}};
  const AlltoallContention alltoall_contention(platform, all_in_order(4), &measured);
  CHECK_FALSE(alltoall_contention.direct(request, planner.model_for(request, alltoallv_direct)).has_value());
  CHECK_FALSE(alltoall_contention.measured(request).has_value());
}

TEST_CASE("a measured signature is that of the links between these ranks") {
  const Platform platform = two_clusters(4, 3);
  const Request request = exchange(8, 10'000);
  const std::vector<Rank> all = all_in_order(8);
  CHECK_FALSE(AlltoallContention(platform, all, nullptr).measured(request).has_value());
  const LinkContention links{.gamma = {5'000'000, 5'000'000, 5'000'000}, .delta = 1'000'000, .threshold = 10'000};
  const auto busy = loads(shared_links(platform, all), 10'000);
  CHECK(AlltoallContention(platform, all, &links).measured(request) == contended_alltoall(links, 8, 10'000, busy));
  CHECK(AlltoallContention(platform, all, &links).measured(exchange(8, 9'999)) <
        contended_alltoall(links, 8, 10'000, busy));
}

TEST_CASE(
    "contention adds to direct exchanges what was measured beyond the prediction, less where they are throttled") {
  Platform platform = two_clusters(6, 2);
  const Request request = exchange(12, 50'000);
  const auto of = [&](Millionths gamma) {
    const LinkContention links{.gamma = {gamma, gamma, gamma}};
    store_contention(platform, {{all_ranks, 12, links}});
    return std::pair(Planner(platform).candidates_of(alltoallv_direct, request),
                     *AlltoallContention(platform, all_in_order(12), &links).measured(request));
  };
  const auto fastest = [](const std::vector<Candidate>& all) {
    return *std::min_element(all.begin(), all.end(),
                             [](const Candidate& a, const Candidate& b) { return a.predicted < b.predicted; });
  };
  const auto [calm, little] = of(100'000);
  const auto [crowded, much] = of(20'000'000);
  CHECK(fastest(calm).predicted > little);  // a signature below the prediction adds nothing
  CHECK(fastest(crowded).predicted > fastest(calm).predicted);
  CHECK(fastest(crowded).predicted < much);
  CHECK(fastest(crowded).plan.parameters().window > 0);
  CHECK(fastest(crowded).plan.parameters().window < 11);
}

TEST_CASE("a direct exchange that is too large to simulate is in the race by its closed form") {
  const Platform platform = two_clusters(150, 1);
  const Planner planner(platform);
  const Request request = exchange(300, 30'000);
  const auto all = planner.candidates(request);
  const Candidate* const direct = find(all, alltoallv_direct, 0);
  REQUIRE(direct != nullptr);
  CHECK(direct->predicted == AlltoallContention(platform, all_in_order(300), nullptr)
                                 .direct(request, planner.model_for(request, alltoallv_direct)));
}
