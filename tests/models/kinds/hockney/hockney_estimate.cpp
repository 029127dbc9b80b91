#include <catch2/catch.hpp>

#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/models/kinds/hockney/hockney_pairs.hpp>
#include <tombolo/units.hpp>

#include "models/closeness.hpp"
#include "models/model_laboratory.hpp"
#include "models/random_models.hpp"
#include "models/test_platforms.hpp"

using namespace tombolo;

TEST_CASE("Hockney's parameters are found, with noise close to it") {
  Worst latency("hockney: alpha");
  Worst time("hockney: time of 100 kB");
  unsigned seed = 0;
  for (const Platform& platform : test_platforms()) {
    for (std::size_t i = 0; i < allowances.size(); ++i) {
      const Hockney model = RandomModels(platform, ++seed).hockney();
      ModelLaboratory laboratory(model, {.percent = allowances[i].percent, .seed = seed});
      const Hockney::Parameters found = estimate_hockney(platform, laboratory);
      const double time_off = off(Hockney(found).time(100'000), model.time(100'000));
      INFO(platform.ranks() << " ranks, " << allowances[i].percent << " % noise");
      latency.add(i, off(found.latency, model.parameters().latency));
      time.add(i, time_off);
      CHECK(off(found.latency, model.parameters().latency) < allowances[i].most);
      CHECK(time_off < allowances[i].most);
      CHECK(found.longest_latency >= found.latency);
    }
  }
}

TEST_CASE("the heterogeneous Hockney model's parameters are found for every pair") {
  Worst latency("hockney-pairs: alpha");
  Worst slope("hockney-pairs: beta, of 100 kB");
  unsigned seed = 100;
  for (const Platform& platform : test_platforms()) {
    for (std::size_t i = 0; i < allowances.size(); ++i) {
      const HockneyPairs model = RandomModels(platform, ++seed).hockney_pairs();
      ModelLaboratory laboratory(model, {.percent = allowances[i].percent, .seed = seed});
      const LinkTable found = estimate_hockney_pairs(PairClasses(platform), laboratory);
      INFO(platform.ranks() << " ranks, " << allowances[i].percent << " % noise");
      REQUIRE(found.cells().size() == model.links().cells().size());
      for (std::size_t cell = 0; cell < found.cells().size(); ++cell) {
        const LinkCost& one = found.cells()[cell];
        const LinkCost& other = model.links().cells()[cell];
        // What is a small part of a message of 100 kB drowns in the noise of the rest.
        const PerMegabyte message = other.per_megabyte + other.latency * (megabyte / 100'000);
        const double latency_off = off(one.latency, other.latency, time_for(10'000, other.per_megabyte));
        const double slope_off = off(one.per_megabyte, other.per_megabyte, message);
        latency.add(i, latency_off);
        slope.add(i, slope_off);
        CHECK(latency_off < allowances[i].most);
        CHECK(slope_off < allowances[i].most);
      }
    }
  }
}

TEST_CASE("the homogeneous model of pairs that differ is their median") {
  const Platform platform = flat_cluster(16);
  const HockneyPairs model = RandomModels(platform, 5).hockney_pairs();
  ModelLaboratory laboratory(model);
  const Hockney::Parameters found = estimate_hockney(platform, laboratory);
  std::vector<Picoseconds> latencies;
  for (const LinkCost& link : model.links().cells()) latencies.push_back(link.latency);
  std::sort(latencies.begin(), latencies.end());
  CHECK(found.latency > latencies[latencies.size() / 4]);
  CHECK(found.latency < latencies[latencies.size() * 3 / 4]);
  CHECK(found.longest_latency <= latencies.back() + 1000);
}

TEST_CASE("in a large cluster a sample of pairs is measured, and the others get the median of their class") {
  const Platform platform = clusters_of_hosts({std::vector<int>(150, 2)});
  const PairClasses classes(platform);
  const std::vector<std::pair<Rank, Rank>> pairs = measured_pairs(classes);
  CHECK(pairs.size() <= 64 * 150 + 6);
  std::vector<int> met(300);
  for (const auto& [a, b] : pairs) {
    ++met[static_cast<std::size_t>(a)];
    ++met[static_cast<std::size_t>(b)];
  }
  CHECK(*std::min_element(met.begin(), met.end()) > 40);
  LinkTable links(classes);
  for (Rank a = 0; a < 300; ++a) {
    for (Rank b = 0; b < a; ++b) {
      links.at(a, b) = classes.same_host(a, b) ? LinkCost{1'000'000, 100'000'000} : LinkCost{30'000'000, 1'000'000'000};
    }
  }
  const HockneyPairs model(links, 1);
  ModelLaboratory laboratory(model);
  const HockneyPairs found(estimate_hockney_pairs(classes, laboratory), 1);
  CHECK(times_off(found, model, 16, {0, 1000, 100'000}) < 0.001);
}

TEST_CASE("a rank alone has nobody to send to") {
  const Platform platform = flat_cluster(1);
  const Hockney model({.latency = 5, .rate = 7});
  ModelLaboratory laboratory(model);
  CHECK(estimate_hockney(platform, laboratory).latency == 0);
  CHECK(estimate_hockney_pairs(PairClasses(platform), laboratory).cells().empty());
}

TEST_CASE("pairs' figures that no network has are refused") {
  LinkTable links{PairClasses(flat_cluster(2))};
  CHECK_THROWS_AS(HockneyPairs(links, 0), Error);
  links.at(0, 1) = {-1, 5};
  CHECK_THROWS_AS(HockneyPairs(links, 1), Error);
  links.at(0, 1) = {1, -5};
  CHECK_THROWS_AS(HockneyPairs(links, 1), Error);
  links.at(0, 1) = {7, 2'000'000};
  const HockneyPairs model(links, 1);
  CHECK(model.message(1, 0, 10).send == 27);
  CHECK(model.message(0, 1, 10).receive == 27);
  CHECK(model.longest_latency() == 7);
  CHECK_THROWS_AS(model.message(1, 1, 10), Error);
}
