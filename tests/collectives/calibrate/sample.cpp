#include <cmath>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/collectives/calibrate/sample.hpp>

using namespace tombolo;

namespace {

Sample sample(const std::string& algorithm, Bytes bytes, Picoseconds measured,
              std::map<std::string, Picoseconds> predicted) {
  return {"c1", Operation::bcast, algorithm, 0, 20, 0, bytes, measured, std::move(predicted)};
}

}  // namespace

TEST_CASE("errors are those of all samples, too much and too little alike") {
  std::vector<Sample> samples;
  for (int percent = 1; percent <= 20; ++percent) {
    samples.push_back(
        sample("flat", 1, 1'000'000,
               {{"a", 1'000'000 + (percent % 2 == 0 ? 10'000 : -10'000) * percent}, {"exact", 1'000'000}}));
  }
  samples.push_back(sample("flat", 1, 1'000'000, {{"rare", 3'000'000}}));
  const auto errors = errors_of_models(samples);
  REQUIRE(errors.size() == 3);
  CHECK((errors[0].model == "a" && errors[1].model == "exact" && errors[2].model == "rare"));
  CHECK(errors[0].samples == 20);
  CHECK(errors[0].median == Approx(0.105));
  CHECK(errors[0].ninetieth == Approx(0.18));
  CHECK(errors[0].worst == Approx(0.20));
  CHECK((errors[1].median == 0 && errors[1].ninetieth == 0 && errors[1].worst == 0));
  CHECK((errors[2].samples == 1 && errors[2].median == Approx(2) && errors[2].ninetieth == Approx(2)));
  CHECK(errors_of_models({}).empty());
}

TEST_CASE("percentiles are what counting says") {
  std::mt19937 random(4);
  for (int n = 1; n <= 40; ++n) {
    std::vector<Sample> samples;
    for (int i = 0; i < n; ++i) {
      samples.push_back(sample("flat", 1, 1000, {{"a", 1000 + static_cast<Picoseconds>(random() % 50)}}));
    }
    const ModelErrors errors = errors_of_models(samples).front();
    const auto within = [&](double bound) {
      int found = 0;
      for (const Sample& s : samples) found += static_cast<double>(s.predicted.at("a")) / 1000 - 1 <= bound + 1e-12;
      return found;
    };
    CHECK(10 * within(errors.ninetieth) >= 9 * n);
    CHECK(10 * within(errors.ninetieth - 0.0005) < 9 * n);
    CHECK(2 * within(errors.median) >= n);
    CHECK(within(errors.worst) == n);
  }
}

TEST_CASE("a ranking counts how often a model takes the fastest, and what it loses elsewhere") {
  const std::vector<Sample> samples = {
      sample("flat", 1, 100, {{"a", 10}, {"b", 90}}),    sample("chain", 1, 120, {{"a", 20}, {"b", 80}}),
      sample("flat", 10, 100, {{"a", 50}, {"b", 50}}),   sample("chain", 10, 100, {{"a", 10}, {"b", 60}}),
      sample("flat", 100, 300, {{"a", 10}, {"b", 10}}),  sample("chain", 100, 200, {{"a", 10}}),
      sample("flat", 1000, 300, {{"a", 10}, {"b", 10}}), sample("binary", 10, 90, {{"a", 30}, {"b", 70}}),
  };
  const auto rankings = rankings_of_models(samples);
  REQUIRE(rankings.size() == 2);
  CHECK(rankings[0].model == "a");
  CHECK(rankings[0].contests == 3);
  CHECK(rankings[0].right == 1);  // of 1 B; it takes the chain for 10 B, and flat, first of equals, for 100 B
  CHECK(rankings[0].mean_loss == Approx((100.0 / 90 - 1 + 0.5) / 2));
  CHECK(rankings[0].worst_loss == Approx(0.5));
  CHECK(rankings[1].model == "b");
  CHECK(rankings[1].contests == 2);
  CHECK(rankings[1].right == 0);
  CHECK(rankings[1].worst_loss == Approx(0.2));
}

TEST_CASE("baselines take no part in contests, as nothing is planned with them") {
  const auto exchange = [](const std::string& algorithm, Picoseconds measured, Picoseconds predicted) {
    return Sample{"c1", Operation::alltoallv, algorithm, 0, 20, 0, 8, measured, {{"a", predicted}}};
  };
  const std::vector<Sample> samples = {exchange("direct", 100, 100), exchange("linear", 90, 50),
                                       exchange("pairwise", 110, 110)};
  REQUIRE(rankings_of_models(samples).size() == 1);
  CHECK(rankings_of_models(samples).front().contests == 1);
  CHECK(rankings_of_models(samples).front().right == 1);
  CHECK(rankings_of_models(std::span(samples).first(2)).empty());
  CHECK(errors_of_models(samples).front().samples == 3);
}

TEST_CASE("who predicts what is measured is always right, and segments and roots make contests") {
  std::mt19937 random(6);
  std::vector<Sample> samples;
  for (int root = 0; root < 5; ++root) {
    for (const Bytes segment : {0, 1000, 2000}) {
      const auto time = static_cast<Picoseconds>(1 + random() % 1000);
      samples.push_back(sample("chain", 1, time, {{"oracle", time}, {"scale", 7 * time}, {"opposite", 2000 - time}}));
      samples.back().root = root;
      samples.back().segment = segment;
    }
  }
  for (const ModelRanking& ranking : rankings_of_models(samples)) {
    CHECK(ranking.contests == 5);
    CHECK(ranking.right == (ranking.model == "opposite" ? 0 : 5));
    CHECK((ranking.mean_loss > 0) == (ranking.model == "opposite"));
  }
  CHECK(rankings_of_models(std::span(samples).first(1)).empty());
}
