#include <algorithm>
#include <cmath>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/collectives/calibrate/poly_model.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;
using Catch::Matchers::Contains;

namespace {

const std::map<std::string, double> costs = {{"hockney", 1}, {"logp", 2}, {"loggp", 5}, {"plogp", 60}};

Sample sample(const std::string& algorithm, Bytes bytes, Picoseconds measured,
              std::map<std::string, Picoseconds> predicted) {
  return {"c1", Operation::bcast, algorithm, 0, 20, 0, bytes, measured, std::move(predicted)};
}

std::string model(const PolyModel& poly, const std::string& algorithm, Bytes bytes, const std::string& scope = "c1") {
  const PolyModel::Range* const range = poly.find(scope, Operation::bcast, algorithm, bytes);
  return range == nullptr ? "none" : range->model;
}

// As in Table 4 of the paper: logp is right for 64 KiB at most, loggp for more and only of chains, plogp always.
std::vector<Sample> table_4(double noise, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> factor(1, noise);
  std::vector<Sample> samples;
  for (const char* const algorithm : {"binomial", "chain"}) {
    const bool chain = std::string_view(algorithm) == "chain";
    for (Bytes bytes = 256; bytes <= 4 << 20; bytes *= 4) {
      for (int repeat = 0; repeat < 3; ++repeat) {
        const Picoseconds time = 50'000'000 + 8000 * bytes * (chain ? 1 : 5);
        const Picoseconds off = time * 3 / 2;
        const bool small = bytes <= 1 << 16;
        const Picoseconds measured = std::llround(static_cast<double>(time) * factor(random));
        samples.push_back(sample(algorithm, bytes, measured,
                                 {{"logp", small ? time : off},
                                  {"loggp", chain && !small ? time : off},
                                  {"plogp", time},
                                  {"hockney", time * 2}}));
      }
    }
  }
  return samples;
}

}  // namespace

TEST_CASE("for each algorithm and range of sizes the cheapest of the best models is chosen") {
  for (const double noise : {0.0, 0.01, 0.05, 0.1}) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const PolyModel poly = poly_adapt_1(table_4(noise, seed), costs);
      for (const Bytes bytes : {0, 256, 1024, 50'000, 65'536, 131'071}) {
        CHECK(model(poly, "binomial", bytes) == "logp");
        CHECK(model(poly, "chain", bytes) == "logp");
      }
      for (const Bytes bytes : {131'072, 262'144, 4 << 20, 1 << 30}) {
        CHECK(model(poly, "binomial", bytes) == "plogp");
        CHECK(model(poly, "chain", bytes) == "loggp");
      }
      // One that was not timed: plogp is the only one that fits both.
      CHECK(model(poly, "flat", 65'536) == "logp");
      CHECK(model(poly, "flat", 1 << 20) == "plogp");
      REQUIRE(poly.entries.size() == 3);
      for (const PolyModel::Entry& entry : poly.entries) {
        REQUIRE(entry.ranges.size() == 2);
        CHECK(entry.ranges[1].from == 131'072);  // between 64 and 256 KiB
        CHECK(entry.ranges[0].samples + entry.ranges[1].samples == (entry.algorithm.empty() ? 48 : 24));
        for (const PolyModel::Range& range : entry.ranges) {
          CHECK(range.error <= std::llround(1e6 * 1.5 * noise));
          CHECK((noise == 0) == (range.error == 0));
        }
      }
    }
  }
}

TEST_CASE("of models that fit alike the cheapest, of equally dear ones the better is taken") {
  const std::vector<Sample> samples = {
      sample("flat", 10, 1'000'000, {{"a", 1'000'000}, {"b", 1'015'000}, {"c", 1'100'000}})};
  CHECK(model(poly_adapt_1(samples, {{"a", 3}, {"b", 2}, {"c", 1}}), "flat", 10) == "b");
  CHECK(model(poly_adapt_1(samples, {{"a", 3}, {"b", 2}, {"c", 1}}, 0.2), "flat", 10) == "c");
  CHECK(model(poly_adapt_1(samples, {{"a", 3}, {"b", 2}, {"c", 1}}, 0), "flat", 10) == "a");
  CHECK(model(poly_adapt_1(samples, {{"a", 2}, {"b", 2}, {"c", 1}}), "flat", 10) == "a");
  CHECK(model(poly_adapt_1(samples, {{"b", 1000}}), "flat", 10) == "b");  // what a costs is not known
  CHECK(model(poly_adapt_1(samples, {}), "flat", 10) == "a");
}

TEST_CASE("half and double are equally wrong") {
  const std::vector<Sample> samples = {sample("flat", 10, 1'000'000, {{"half", 499'999}, {"double", 2'000'000}})};
  CHECK(model(poly_adapt_1(samples, {}, 0), "flat", 10) == "double");
  CHECK(poly_adapt_1(samples, {}, 0).entries.front().ranges.front().error == 693'147);
}

TEST_CASE("only models that predict all samples of a size compete for it") {
  const std::vector<Sample> samples = {
      sample("flat", 10, 1000, {{"a", 1000}, {"b", 1500}}), sample("flat", 10, 1000, {{"b", 1500}}),
      sample("flat", 100, 1000, {{"a", 1000}, {"b", 1500}}), sample("flat", 1000, 1000, {{"a", 1000}}),
      sample("flat", 1000, 1000, {{"b", 1500}})};
  const PolyModel poly = poly_adapt_1(samples, {});
  CHECK(model(poly, "flat", 10) == "b");
  CHECK(model(poly, "flat", 31) == "b");
  CHECK(model(poly, "flat", 32) == "a");    // sqrt(10 * 100) = 31.6
  CHECK(model(poly, "flat", 9999) == "a");  // nobody knows of 1000
}

TEST_CASE("sizes between two samples take the range of the nearer one by ratio, and none is left out") {
  std::mt19937 random(8);
  for (int round = 0; round < 200; ++round) {
    std::vector<Sample> samples;
    std::vector<Bytes> sizes;
    for (int i = 0; i < 6; ++i) sizes.push_back(random() % 5 == 0 ? 0 : static_cast<Bytes>(1ULL << random() % 40) + i);
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    for (const Bytes bytes : sizes) {
      const bool a = random() % 2 == 0;
      samples.push_back(sample("flat", bytes, 1000, {{"a", a ? 1000 : 9000}, {"b", a ? 9000 : 1000}}));
    }
    const PolyModel poly = poly_adapt_1(samples, costs);
    const auto best = [&](const Sample& s) { return s.predicted.at("a") == 1000 ? "a" : "b"; };
    for (const Sample& s : samples) CHECK(model(poly, "flat", s.bytes) == best(s));
    for (std::size_t i = 1; i < samples.size(); ++i) {
      const auto low = static_cast<long double>(std::max<Bytes>(samples[i - 1].bytes, 1));
      const auto high = static_cast<long double>(std::max<Bytes>(samples[i].bytes, 1));
      const auto middle = static_cast<Bytes>(std::sqrt(low * high));
      if (middle - 1 > samples[i - 1].bytes) CHECK(model(poly, "flat", middle - 1) == best(samples[i - 1]));
      if (middle + 1 < samples[i].bytes) CHECK(model(poly, "flat", middle + 1) == best(samples[i]));
    }
    CHECK(model(poly, "flat", 1LL << 60) == best(samples.back()));
    CHECK(poly_from_json(to_json(poly), "p") == poly);
  }
}

TEST_CASE("what was not timed is taken from what comes nearest") {
  std::vector<Sample> samples = {sample("flat", 10, 1000, {{"a", 1000}, {"b", 2000}}),
                                 sample("chain", 10, 1000, {{"a", 3000}, {"b", 1000}})};
  for (Sample& s : samples) s.scope = "all";
  samples.push_back(sample("flat", 10, 1000, {{"c", 1000}}));
  const PolyModel poly = poly_adapt_1(samples, {});
  CHECK(model(poly, "flat", 10) == "c");
  CHECK(model(poly, "chain", 10) == "c");  // of c1, where it was not timed
  CHECK(model(poly, "flat", 10, "c2") == "a");
  CHECK(model(poly, "chain", 10, "c2") == "b");
  CHECK(model(poly, "binary", 10, "c2") == "b");
  CHECK(poly.find("c1", Operation::reduce, "flat", 10) == nullptr);
  CHECK(PolyModel().find("c1", Operation::bcast, "flat", 10) == nullptr);
}

TEST_CASE("the fastest algorithm is taken, each by the model chosen for it") {
  const PolyModel poly = poly_adapt_1(table_4(0.02), costs);
  const Bytes bytes = 1 << 20;
  const std::vector<Forecast> forecasts = {
      {"binomial", 0, {{"logp", 1}, {"loggp", 2}, {"plogp", 500}}},
      {"chain", 4096, {{"logp", 3}, {"loggp", 300}, {"plogp", 4}}},
      {"chain", 8192, {{"logp", 3}, {"loggp", 200}, {"plogp", 4}}},
      {"chain", 16'384, {{"logp", 3}, {"loggp", 200}, {"plogp", 4}}},
      {"chain", 32'768, {{"logp", 3}, {"plogp", 4}}},
  };
  const auto choice = poly_adapt_2(poly, "c1", Operation::bcast, bytes, forecasts);
  REQUIRE(choice);
  CHECK(choice->index == 2);
  CHECK(choice->model == "loggp");
  CHECK(choice->predicted == 200);
  CHECK(poly_adapt_2(poly, "c1", Operation::bcast, 1024, forecasts)->index == 0);
  CHECK_FALSE(poly_adapt_2(poly, "c1", Operation::reduce, bytes, forecasts));
  CHECK_FALSE(poly_adapt_2(poly, "c1", Operation::bcast, bytes, {}));
  CHECK(predicted_by(poly, sample("chain", bytes, 0, {{"loggp", 7}, {"logp", 8}})) == 7);
  CHECK_FALSE(predicted_by(poly, sample("chain", bytes, 0, {{"logp", 8}})));
}

TEST_CASE("a poly-model is read as it was written") {
  const PolyModel poly = poly_adapt_1(table_4(0.03), costs);
  CHECK(poly_from_json(to_json(poly), "p") == poly);
  CHECK(poly_from_json("[]", "p") == PolyModel());
  CHECK(to_json(PolyModel()) == "[]");
  const PolyModel named{{{"Ä \"c\"\n", Operation::alltoallv, "", {{0, "hockney", 5, 1}, {9, "b", 0, 2}}}}};
  CHECK(to_json(named) == R"([{"scope":"Ä \"c\"\n","operation":"alltoallv","ranges":[)"
                          R"({"from_bytes":0,"model":"hockney","error_millionths":5,"samples":1},)"
                          R"({"from_bytes":9,"model":"b","error_millionths":0,"samples":2}]}])");
  CHECK(poly_from_json(to_json(named), "p") == named);
}

TEST_CASE("text that is no poly-model is refused in one line that says where") {
  const std::string range = R"({"from_bytes":0,"model":"a","error_millionths":1,"samples":2})";
  const auto entry = [](const std::string& operation, const std::string& ranges) {
    return R"({"scope":"c1","operation":)" + operation + R"(,"ranges":)" + ranges + "}";
  };
  const auto with = [&](const std::string& old, const std::string& now) {
    std::string changed = range;
    changed.replace(changed.find(old), old.size(), now);
    return "[" + entry("\"bcast\"", "[" + changed + "]") + "]";
  };
  const std::string good = entry("\"bcast\"", "[" + range + "]");
  CHECK_NOTHROW(poly_from_json("[" + good + "]", "p.json"));
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"", "p.json: "},
      {"[", "p.json: "},
      {"{}", "is an object, not a list"},
      {"[1]", "[0] is 1, not an object"},
      {"[{}]", "has no member \"operation\""},
      {"[" + entry("1", "[]") + "]", "[0].operation is 1"},
      {"[" + entry(R"("broad\ncast")", "[]") + "]", "which is no operation"},
      {"[" + entry("\"bcast\"", "[]") + "]", "[0].ranges holds no ranges"},
      {"[" + entry("\"bcast\"", "7") + "]", "[0].ranges is 7"},
      {with("0,", "5,"), "[0].ranges[0].from_bytes is 5; the first range begins at 0"},
      {with("0,", "-1,"), "is -1, less than 0"},
      {with("0,", "0.5,"), "not a whole number"},
      {with("\"a\"", "null"), "[0].ranges[0].model is null"},
      {with(":1", ":-1"), "error_millionths is -1"},
      {with(":2", ":0"), "has 0 samples"},
      {with(R"(,"samples":2)", ""), "has no member \"samples\""},
      {"[" + entry("\"bcast\"", "[" + range + "," + range + "]") + "]", "is 0, not more than the 0"},
      {"[" + good + "," + good + "]", "[1] is of the same scope"},
  };
  for (const auto& [text, says] : bad) {
    INFO(text);
    try {
      poly_from_json(text, "p.json");
      FAIL_CHECK("was read");
    } catch (const Error& error) {
      CHECK_THAT(error.what(), Contains(says));
      CHECK_THAT(error.what(), Catch::Matchers::StartsWith("p.json: "));
      CHECK(std::string_view(error.what()).find('\n') == std::string_view::npos);
    }
  }
}
