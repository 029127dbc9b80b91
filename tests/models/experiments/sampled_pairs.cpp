#include <catch2/catch.hpp>

#include <tombolo/models/experiments/sampled_pairs.hpp>

#include "models/model_laboratory.hpp"
#include "models/random_models.hpp"
#include "models/test_platforms.hpp"

using namespace tombolo;

namespace {

// Its first messages go into a buffer at no cost, as with an eager protocol.
class Buffered : public Laboratory {
 public:
  int largest = 0;
  std::vector<Measured> run(std::span<const Experiment> experiments, const Repeat&) override {
    std::vector<Measured> times;
    for (const Experiment& e : experiments) {
      largest = std::max(largest, e.count);
      times.push_back({1'000'000 + 100 * std::min(e.count, 50) + 5000 * std::max(0, e.count - 50), 0});
    }
    return times;
  }
  ExperimentCost cost() const override { return {}; }
};

}  // namespace

TEST_CASE("the gap is what one more message takes, whatever the way takes") {
  const Platform platform = flat_cluster(2);
  for (const Picoseconds latency : {10'000, 100'000'000}) {
    const LogGP model(platform, {{.send_overhead = 1'000, .latency = latency, .gap = 2'000, .gap_per_megabyte = 7}}, 1);
    ModelLaboratory laboratory(model);
    const std::vector<Saturation> links = {{0, 1, 1}, {1, 0, 1'000'001}};
    CHECK(measure_gaps(laboratory, links) == std::vector<Picoseconds>{2'000, 2'007});
  }
}

TEST_CASE("messages are sent until a buffer at the start does not count") {
  Buffered laboratory;
  const std::vector<Saturation> link = {{0, 1, 10}};
  CHECK(measure_gaps(laboratory, link) == std::vector<Picoseconds>{5000});
  CHECK(laboratory.largest >= 400);
  CHECK(laboratory.largest <= 4096);
  const std::vector<Saturation> large = {{0, 1, 1 << 20}};  // of which 16 MiB must do
  laboratory.largest = 0;
  measure_gaps(laboratory, large);
  CHECK(laboratory.largest == 32);
  CHECK(measure_gaps(laboratory, {}).empty());
}

TEST_CASE("medians by class are over the pairs of the class") {
  const Platform platform = clusters_of_hosts({{1, 1, 1, 1, 1, 1}, {1, 1, 1, 1}});
  const SampledPairs pairs{PairClasses(platform)};
  REQUIRE(pairs.classes() == 3);
  std::vector<Picoseconds> figures;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    figures.push_back(Picoseconds{100} * pairs.class_of(i) + static_cast<Picoseconds>(i % 3));
  }
  REQUIRE(pairs.size() == 9);
  CHECK(pairs.medians(figures) == std::vector<Picoseconds>{1, 101, 201});
}
