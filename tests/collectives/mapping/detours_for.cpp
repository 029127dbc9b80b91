#include <algorithm>
#include <numeric>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/mapping/detours_for.hpp>
#include <tombolo/collectives/predict/lower_bound.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/platform/description/members.hpp>

#include "collectives/mapping/sites.hpp"

using namespace tombolo;
using test::sites;

namespace {

Platform triangle(BytesPerSecond thin) {
  return sites({5, 4, 5}, [thin](int a, int b) { return a == 0 && b == 2 ? thin : 10'000'000; });
}

// A ring of five whose chords are a tenth as wide.
Platform ring() {
  return sites({3, 3, 3, 3, 3}, [](int a, int b) { return b - a == 1 || b - a == 4 ? 10'000'000 : 1'000'000; });
}

ClusterLinks links_of(const Platform& platform) {
  return {platform, all_in_order(platform.ranks())};
}

ClusterDemands equal_demands(int clusters, Bytes bytes) {
  ClusterDemands demands(static_cast<std::size_t>(clusters),
                         std::vector<Bytes>(static_cast<std::size_t>(clusters), bytes));
  for (std::size_t c = 0; c < demands.size(); ++c) demands[c][c] = 0;
  return demands;
}

// The time for which the busiest resource is busy.
Picoseconds busiest_time(const ClusterLinks& links, const ClusterDemands& demands,
                         const std::vector<std::vector<std::vector<int>>>& divided) {
  std::vector<Bytes> loads(links.rates().size(), 0);
  for (int from = 0; from < links.size(); ++from) {
    for (int to = 0; to < links.size(); ++to) {
      if (from == to) continue;
      const auto a = static_cast<std::size_t>(from);
      const auto b = static_cast<std::size_t>(to);
      for (std::size_t way = 0; way < divided[a][b].size(); ++way) {
        for (const int use : links.ways(from, to)[way].uses) {
          loads[static_cast<std::size_t>(use)] += demands[a][b] * divided[a][b][way] / flow_units;
        }
      }
    }
  }
  Picoseconds longest = 0;
  for (std::size_t use = 0; use < loads.size(); ++use) {
    longest = std::max(longest, transfer_time(loads[use], links.rates()[use]));
  }
  return longest;
}

double seconds_of(const Platform& platform, const ClusterDemands& demands) {
  const ClusterLinks links = links_of(platform);
  return seconds(busiest_time(links, demands, divided_among_ways(links, demands)));
}

}  // namespace

TEST_CASE("a detour is a way whose rate or latency is better by half") {
  CHECK(links_of(triangle(1'000'000)).has_detours());
  CHECK(links_of(triangle(6'000'000)).has_detours());
  CHECK_FALSE(links_of(triangle(7'000'000)).has_detours());
  CHECK_FALSE(links_of(triangle(10'000'000)).has_detours());
  Platform slow = triangle(10'000'000);
  slow.links[1].latency = {16'000'000'000, 0};
  const ClusterLinks links = links_of(slow);
  REQUIRE(links.ways(0, 2).size() == 2);
  CHECK(links.ways(0, 2)[1].over == std::vector<int>{1});
  CHECK(links.ways(0, 1).size() == 1);
  // Ranks of two of the clusters have no third one between.
  std::vector<Rank> outer;
  for (const std::vector<Rank>& cluster : {links.clusters()[0], links.clusters()[2]}) {
    outer.insert(outer.end(), cluster.begin(), cluster.end());
  }
  CHECK_FALSE(ClusterLinks(slow, outer).has_detours());
  CHECK_FALSE(ClusterLinks(slow, {3}).has_detours());
  // From an end of the ring's chord the other one is reached over one cluster, or the long way round over two.
  const ClusterLinks around = links_of(ring());
  CHECK(around.ways(0, 1).size() == 1);
  REQUIRE(around.ways(0, 2).size() == 3);
  CHECK(around.ways(0, 2)[1].over == std::vector<int>{1});
  CHECK(around.ways(0, 2)[2].over == std::vector<int>{4, 3});
}

TEST_CASE("the total of one message is the limit of a link, that of several which grew with each is not") {
  Platform platform = ring();
  const std::vector<BytesPerSecond> known = links_of(platform).rates();
  for (Link& link : platform.links) link.flows = 1;
  CHECK(links_of(platform).rates() == known);
  for (Link& link : platform.links) {
    link.flows = 2;
    link.total.value = 2 * link.rate.value;
  }
  for (const Link& link : platform.links) {
    const std::vector<ClusterLinks::Way> ways = links_of(platform).ways(link.a, link.b);
    CHECK(ways.front().rate == 3 * link.rate.value);
  }
}

TEST_CASE("relays are hosts with fast cards, each once") {
  Platform platform = sites({1, 3, 1}, [](int a, int b) { return a == 0 && b == 2 ? 1'000'000 : 10'000'000; });
  const std::vector<Rank> all = links_of(platform).clusters()[1];
  CHECK(links_of(platform).relays()[1] == all);
  platform.hosts[2].rate = {1'000'000, 0};
  CHECK(links_of(platform).relays()[1] == std::vector<Rank>{all[0], all[2]});
}

TEST_CASE("demands are divided as the flow problem has it") {
  // 10 (1 - x) = 1 + x on the thin side of a triangle: 20 of 11 seconds.
  CHECK(seconds_of(triangle(1'000'000), equal_demands(3, 10'000'000)) == Approx(20. / 11).epsilon(0.03));
  // One demand alone takes all of both ways.
  ClusterDemands one = equal_demands(3, 0);
  one[0][2] = 11'000'000;
  CHECK(seconds_of(triangle(1'000'000), one) == Approx(1).epsilon(0.03));
  // All pairs of a ring: every direction of a link carries one neighbour's and two chords' bytes, less what the chords
  // carry themselves: 1 + 2 (1 - x) = 10 x.
  CHECK(seconds_of(ring(), equal_demands(5, 10'000'000)) == Approx(2.5).epsilon(0.05));
}

TEST_CASE("no division of random demands on random links is slower than the direct ways, or far from a cut's bound") {
  std::mt19937 random(8);
  for (int round = 0; round < 40; ++round) {
    const int clusters = 3 + static_cast<int>(random() % 4);
    const Platform platform = sites(std::vector<int>(static_cast<std::size_t>(clusters), 2), [&random](int, int) {
      return static_cast<BytesPerSecond>(1'000'000 << random() % 6);
    });
    ClusterDemands demands = equal_demands(clusters, 0);
    for (int a = 0; a < clusters; ++a) {
      for (int b = 0; b < clusters; ++b) {
        if (a != b)
          demands[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = static_cast<Bytes>(random() % 4) << 22;
      }
    }
    const ClusterLinks links = links_of(platform);
    auto divided = divided_among_ways(links, demands);
    const Picoseconds time = busiest_time(links, demands, divided);
    for (auto& row : divided) {
      for (auto& units : row) {
        if (units.empty()) continue;
        CHECK(std::accumulate(units.begin(), units.end(), 0) == flow_units);
        std::ranges::fill(units, 0);
        units.front() = flow_units;
      }
    }
    CHECK(time <= busiest_time(links, demands, divided));
  }
}

TEST_CASE("on a triangle with a thin side plans take the detour, and are faster by what the flow problem says") {
  const Platform thin = triangle(1'000'000);
  const std::vector<Request> requests = {
      Request::alltoallv(14, AlltoallCounts::equal(14, 1 << 16), 1), Request::allgatherv(Blocks::equal(14, 1 << 16), 1),
      Request::scatterv(thin.levels.children[0].ranks.front(), Blocks::equal(14, 1 << 16), 1),
      Request::gatherv(thin.levels.children[2].ranks.front(), Blocks::equal(14, 1 << 16), 1)};
  const ClusterLinks links = links_of(thin);
  Planner planner(thin);
  for (const Request& request : requests) {
    const Plan plan = planner.plan(request);
    INFO(plan.describe());
    const Model& model = planner.model_for(request, plan.algorithm());
    CHECK(predict(plan, model).makespan < 2 * lower_bound(request, thin));
    // Trees of scatters and gathers may go over the third cluster themselves.
    if (plan.parameters().detours.empty()) {
      CHECK(is_rooted(request.operation));
      continue;
    }
    Parameters parameters = plan.parameters();
    parameters.detours = {};
    const Plan direct(request, plan.algorithm(), parameters);
    CHECK(predict(direct, model).makespan > predict(plan, model).makespan * 5 / 2);
    CHECK_FALSE(detours_for(direct, links).empty());
  }
  // Ranks among others avoid detours too.
  planner.avoid_detours();
  const std::vector<Rank> members = {13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  for (Planner* each : {&planner, planner.on(members).get()}) {
    for (const Request& request : requests) CHECK(each->plan(request).parameters().detours.empty());
  }
  // Without a detour the plans are those without this knowledge.
  Planner none(triangle(10'000'000));
  for (const Request& request : requests) CHECK(none.plan(request).parameters().detours.empty());
}

TEST_CASE("detours of more messages than a simulation may have are weighed") {
  const Platform thin = sites({36, 30, 37}, [](int a, int b) { return a == 0 && b == 2 ? 1'000'000 : 10'000'000; });
  Planner planner(thin);
  for (const Bytes bytes : {Bytes{64}, Bytes{1} << 14}) {
    const Request request = Request::alltoallv(103, AlltoallCounts::equal(103, bytes), 1);
    const Candidate chosen = planner.choice(request);
    INFO(bytes << " bytes: " << chosen.plan.describe());
    REQUIRE_FALSE(chosen.plan.parameters().detours.empty());
    const double time = seconds(makespan(chosen.plan, planner.model_for(request, chosen.plan.algorithm())));
    CHECK(seconds(chosen.predicted) > 0.8 * time);
    CHECK(seconds(chosen.predicted) < 1.5 * time);
  }
}

TEST_CASE("of ways with less latency a thin one is taken by small messages alone") {
  Platform platform = sites({3, 2, 3, 2}, [](int a, int b) { return b == 3 && a != 1 ? 200'000 : 10'000'000; });
  for (Link& link : platform.links) {
    link.latency = {link.b == 3 && link.a != 1   ? 1'000'000'000
                    : link.a == 0 && link.b == 2 ? 30'000'000'000
                                                 : 4'000'000'000,
                    0};
  }
  const ClusterLinks links = links_of(platform);
  Planner planner(platform);
  for (const auto& [bytes, over] : {std::pair<Bytes, int>{8, 3}, {1024, 1}}) {
    const Request request = Request::alltoallv(10, AlltoallCounts::equal(10, bytes), 1);
    const Plan direct(request, find_algorithm(request.operation, "direct"), {});
    bool found = false;
    for (const Detours& detours : detours_for(direct, links)) {
      for (const Detours::Pair& pair : detours.pairs()) {
        if (pair.from != 0 || pair.to != 2) continue;
        found = found || (pair.ways.size() == 1 && pair.ways.front().over == std::vector<int>{over});
      }
    }
    CHECK(found);
    const Plan plan = planner.plan(request);
    INFO(bytes << " bytes: " << plan.describe());
    const Model& model = planner.model_for(request, plan.algorithm());
    CHECK(2 * predict(plan, model).makespan < predict(direct, model).makespan);
  }
}
