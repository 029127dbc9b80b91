#include <cmath>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/collectives/calibrate/contention/contention.hpp>
#include <tombolo/platform/error.hpp>

using namespace tombolo;
using Catch::Matchers::Contains;

namespace {

const std::vector<Bytes> sizes = {256,    512,    1024,    2048,    4096,    8192,     16'384,
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
  for (const Bytes bytes : sizes) {
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
        for (const Bytes bytes : sizes) {
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
    for (const Bytes bytes : sizes) {
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
  samples.resize(sizes.size());
  CHECK(fit_link_contention(truth.latency, samples).gamma == truth.gamma);
  samples.resize(3);
  CHECK_THROWS_WITH(fit_link_contention(truth.latency, samples), Contains("3 samples"));
  for (LoadedSample& sample : samples) sample.loads = {};
  samples.push_back(samples.back());
  CHECK_THROWS_WITH(fit_link_contention(truth.latency, samples), Contains("say nothing of contention"));
}

TEST_CASE("on one switch the terms of links are the plain signature's") {
  const LinkContention links{gigabit.latency, {gigabit.gamma, 0, 0}, gigabit.delta, gigabit.threshold};
  for (const Bytes bytes : sizes) {
    const LinkLoads load = loads(std::vector<SharedLink>{{LinkKind::port, "a", gigabit.rate, 23}}, bytes);
    CHECK(std::abs(contended_alltoall(links, 24, bytes, load) - contended_alltoall(gigabit, 24, bytes)) <= 200);
  }
}
