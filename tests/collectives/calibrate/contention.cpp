#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include <catch2/catch.hpp>

#include <tombolo/collectives/calibrate/contention.hpp>
#include <tombolo/collectives/calibrate/scopes.hpp>
#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/platform/description/members.hpp>
#include <tombolo/platform/description/routes.hpp>
#include <tombolo/units.hpp>

#include "models/figured_platform.hpp"
#include "platform/part_of_platform.hpp"

using namespace tombolo;
using Catch::Matchers::Contains;

namespace {

const std::vector<Bytes> block_sizes = {256,    512,    1024,    2048,    4096,    8192,     16'384,
                                        32'768, 65'536, 131'072, 262'144, 524'288, 1'048'576};

class Noise {
 public:
  explicit Noise(double sigma) : sigma_(sigma) {}
  Picoseconds operator()(Picoseconds time) {
    std::normal_distribution<double> factor(1, sigma_);
    return sigma_ > 0 ? std::llround(static_cast<double>(time) * factor(random_)) : time;
  }

 private:
  double sigma_;
  std::mt19937 random_{20070501};
};

std::vector<AlltoallSample> samples_of(const ContentionSignature& signature, int ranks, double sigma) {
  Noise noise(sigma);
  std::vector<AlltoallSample> samples;
  for (const Bytes bytes : block_sizes) {
    samples.push_back({ranks, bytes, noise(contended_alltoall(signature, ranks, bytes))});
  }
  return samples;
}

// Networks of section 6 of the paper.
const ContentionSignature fast_ethernet{60'000'000, 12'500'000, 1'019'500, 8'230'000'000, 2048};
const ContentionSignature gigabit{50'000'000, 125'000'000, 4'362'800, 4'930'000'000, 8192};
const ContentionSignature myrinet{10'000'000, 250'000'000, 2'497'540, 0, 0};

}  // namespace

TEST_CASE("a signature is found again") {
  for (const ContentionSignature& truth : {fast_ethernet, gigabit, myrinet}) {
    const auto exact = fit_contention(truth.latency, truth.rate, samples_of(truth, 24, 0));
    CHECK(std::abs(exact.gamma - truth.gamma) <= 5);
    CHECK(std::abs(exact.delta - truth.delta) <= 1000);
    CHECK(exact.threshold == truth.threshold);
    for (const double sigma : {0.01, 0.05}) {
      const auto found = fit_contention(truth.latency, truth.rate, samples_of(truth, 24, sigma));
      INFO("noise " << sigma << ", gamma " << found.gamma << " for " << truth.gamma << ", delta " << found.delta);
      CHECK(found.gamma == Approx(truth.gamma).epsilon(2 * sigma));
      if (truth.delta > 0) {
        CHECK(found.delta == Approx(truth.delta).epsilon(2 * sigma));
        CHECK(found.threshold == truth.threshold);
      }
      // What it is for: other numbers of ranks.
      for (const int ranks : {8, 40, 100}) {
        for (const Bytes bytes : block_sizes) {
          CHECK(contended_alltoall(found, ranks, bytes) ==
                Approx(contended_alltoall(truth, ranks, bytes)).epsilon(3 * sigma));
        }
      }
    }
  }
}

TEST_CASE("a network as fast as its lower bound has no contention") {
  const ContentionSignature none{50'000'000, 125'000'000};
  CHECK(fit_contention(none.latency, none.rate, samples_of(none, 16, 0)) == none);
}

TEST_CASE("samples that cannot say what contention does are refused") {
  std::vector<AlltoallSample> samples = samples_of(gigabit, 24, 0);
  const auto fit = [&] { return fit_contention(gigabit.latency, gigabit.rate, samples); };
  samples.resize(4);
  CHECK_NOTHROW(fit());
  samples[3].ranks = 25;
  CHECK_THROWS_WITH(fit(), Contains("among 24 and among 25 ranks"));
  samples[3] = samples[2];
  CHECK_THROWS_WITH(fit(), Contains("of 3 sizes; a contention signature takes 4"));
  samples.clear();
  CHECK_THROWS_AS(fit(), Error);
  for (const Bytes bytes : {1, 2, 3, 4}) samples.push_back({1, bytes, 5});
  CHECK_THROWS_WITH(fit(), Contains("is no sample"));
  for (AlltoallSample& sample : samples) sample = {4, sample.bytes - 1, 0};
  CHECK_THROWS_WITH(fit(), Contains("in 0 ps is no sample"));
}

namespace {

// Exchanges inside a cluster, out of one with a narrow uplink, and over a long link: each has another bottleneck.
std::vector<LoadedSample> loaded_samples(const LinkContention& truth, double sigma) {
  const std::vector<std::pair<int, std::vector<SharedLink>>> exchanges = {
      {12, {{LinkKind::port, "a", 125'000'000, 11}}},
      {20, {{LinkKind::port, "a", 125'000'000, 19}, {LinkKind::uplink, "c", 100'000'000, 100}}},
      {24,
       {{LinkKind::port, "a", 125'000'000, 23},
        {LinkKind::uplink, "c", 400'000'000, 144},
        {LinkKind::distant, "c - d", 50'000'000, 144}}},
  };
  Noise noise(sigma);
  std::vector<LoadedSample> samples;
  for (const auto& [ranks, links] : exchanges) {
    for (const Bytes bytes : block_sizes) {
      const LinkLoads load = loads(links, bytes);
      samples.push_back({ranks, bytes, load, noise(contended_alltoall(truth, ranks, bytes, load))});
    }
  }
  return samples;
}

}  // namespace

TEST_CASE("every kind of link gets its own gamma") {
  const std::vector<LinkContention> truths = {
      {50'000'000, {1'200'000, 1'900'000, 1'100'000}, 0, 0},
      {50'000'000, {4'300'000, 900'000, 2'500'000}, 4'900'000'000, 8192},
      {10'000'000, {1'000'000, 3'000'000, 700'000}, 100'000'000, 65'536},
  };
  for (const LinkContention& truth : truths) {
    for (const double sigma : {0.0, 0.01, 0.05}) {
      const LinkContention found = fit_link_contention(truth.latency, loaded_samples(truth, sigma));
      INFO("noise " << sigma << ", delta " << found.delta << " from " << found.threshold);
      for (std::size_t kind = 0; kind < link_kinds; ++kind) {
        CHECK(found.gamma.at(kind) == Approx(truth.gamma.at(kind)).epsilon(2 * sigma + 1e-5));
      }
      for (const LoadedSample& sample : loaded_samples(truth, 0)) {
        const Picoseconds time = contended_alltoall(found, sample.ranks, sample.bytes, sample.loads);
        CHECK(time == Approx(sample.time).epsilon(3 * sigma + 1e-5));
      }
    }
  }
}

TEST_CASE("a kind that holds nobody up keeps a gamma of one") {
  const LinkContention truth = {50'000'000, {2'000'000, 1'000'000, 1'000'000}, 0, 0};
  auto samples = loaded_samples(truth, 0);
  samples.resize(block_sizes.size());
  CHECK(fit_link_contention(truth.latency, samples).gamma == truth.gamma);
  samples.resize(3);
  CHECK_THROWS_WITH(fit_link_contention(truth.latency, samples), Contains("3 samples"));
  for (LoadedSample& sample : samples) sample.loads = {};
  samples.push_back(samples.back());
  CHECK_THROWS_WITH(fit_link_contention(truth.latency, samples), Contains("say nothing of contention"));
}

TEST_CASE("on one switch the terms of links are the plain signature's") {
  const LinkContention links{gigabit.latency, {gigabit.gamma, 0, 0}, gigabit.delta, gigabit.threshold};
  for (const Bytes bytes : block_sizes) {
    const LinkLoads load = loads(std::vector<SharedLink>{{LinkKind::port, "a", gigabit.rate, 23}}, bytes);
    CHECK(std::abs(contended_alltoall(links, 24, bytes, load) - contended_alltoall(gigabit, 24, bytes)) <= 200);
  }
}

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

TEST_CASE("without contention a block costs overheads and the bytes of a typical pair") {
  Platform platform = two_clusters(4, 3);
  for (Processor& processor : platform.processors) {
    processor.send_overhead = 2'000'000;
    processor.receive_overhead = 3'000'000;
  }
  platform.processors[0].send_overhead = 900'000'000;  // of one rank, which a median does not see
  const ContentionSignature alone = uncontended(platform, all_in_order(8));
  CHECK(alone.latency == 5'000'000);
  CHECK(alone.rate == Routes(platform).rate(0, 1));
  CHECK(alone.gamma == one_in_millionths);
  CHECK(alone.delta == 0);
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

TEST_CASE("a direct exchange that is too large to simulate is in the race, at about its closed form") {
  const Platform platform = two_clusters(150, 1);
  const Planner planner(platform);
  const Request request = exchange(300, 30'000);
  const auto all = planner.candidates(request);
  const Candidate* const direct = find(all, alltoallv_direct, 0);
  REQUIRE(direct != nullptr);
  const auto closed = AlltoallContention(platform, all_in_order(300), nullptr)
                          .direct(request, planner.model_for(request, alltoallv_direct));
  REQUIRE(closed);
  CHECK(static_cast<double>(direct->predicted) == Approx(static_cast<double>(*closed)).epsilon(0.1));
}

TEST_CASE("contention is stored in a platform and read back") {
  Platform platform;
  CHECK(stored_contention(platform).empty());
  CHECK(contention_of({}, "all") == nullptr);
  const LinkContention links{
      .latency = 12, .gamma = {1'019'500, 4'362'800, 900'000}, .delta = 8'230'000'000, .threshold = 2048};
  const std::vector<ScopeContention> all = {{"all \"four\"", 4, links}, {"c0", 2, {}}};
  store_contention(platform, all);
  CHECK(stored_contention(platform) == all);
  CHECK(contention_of(all, "all \"four\"") == &all[0].links);
  CHECK(contention_of(all, "c0") == &all[1].links);
  CHECK(contention_of(all, "c1") == nullptr);
}

TEST_CASE("a section of contention that is not right is refused in a line that says where") {
  const auto refused = [](const char* text, const char* words) {
    Platform platform;
    platform.sections[contention_section] = text;
    CHECK_THROWS_WITH(stored_contention(platform), Catch::Contains("contention") && Catch::Contains(words));
  };
  refused("{", "section");
  refused("{}", "list");
  refused(R"([{"ranks": 4}])", "scope");
  refused(R"([{"scope": "a", "ranks": 1}])", "two ranks");
  refused(R"([{"scope": "a", "ranks": 4, "latency_ps": -1}])", "less than 0");
  refused(R"([{"scope": "a", "ranks": 4, "latency_ps": 1, "port_gamma_millionths": 1}])", "uplink_gamma_millionths");
  Platform platform;
  store_contention(platform, {{"a", 4, {}}});
  std::string& section = platform.sections[contention_section];
  section = "[" + section.substr(1, section.size() - 2) + ", " + section.substr(1);
  CHECK_THROWS_WITH(stored_contention(platform), Catch::Contains("same scope"));
}
