#include <set>

#include <catch2/catch.hpp>

#include <tombolo/models/kinds/logp/plogp.hpp>
#include <tombolo/units.hpp>

#include "models/closeness.hpp"
#include "models/model_laboratory.hpp"
#include "models/random_models.hpp"
#include "models/test_platforms.hpp"

using namespace tombolo;

namespace {

// None beyond the largest that is measured, where noise is extrapolated.
const std::vector<Bytes> sizes = {0, 1, 100, 256, 300, 5000, 8192, 10'000, 50'000, 65536, 200'000, 1 << 20};

double curve_off(const PiecewiseLinear& found, const PiecewiseLinear& wanted) {
  double worst = 0;
  for (const Bytes size : sizes) worst = std::max(worst, off(found.at(size), wanted.at(size)));
  return worst;
}

// One class with these.
PLogP simple(PiecewiseLinear gap) {
  return {flat_cluster(2), {{50'000'000, std::move(gap), PiecewiseLinear({{0, 10}}), PiecewiseLinear({{0, 10}})}}, 1};
}

}  // namespace

TEST_CASE("pLogP's parameters are found, with noise close to it, the gap directly or not") {
  for (const bool direct : {false, true}) {
    Worst gap(direct ? "plogp: g(M), direct" : "plogp: g(M), indirect, of RTT(M)");
    Worst overhead("plogp: o_s(M), o_r(M)");
    Worst message("plogp: L + g(M)");
    unsigned seed = 200;
    for (const Platform& platform : test_platforms()) {
      if (direct && platform.ranks() > 8) continue;
      for (std::size_t i = 0; i < allowances.size(); ++i) {
        const PLogP model = RandomModels(platform, ++seed).plogp();
        ModelLaboratory laboratory(model, {.percent = allowances[i].percent, .seed = seed});
        const PLogP found(platform, estimate_plogp(model.figures().classes(), laboratory, {.direct = direct}), 1);
        INFO(platform.ranks() << " ranks, " << allowances[i].percent << " % noise");
        for (std::size_t c = 0; c < model.figures().all().size(); ++c) {
          const PLogP::Figures& one = found.figures().all()[c];
          const PLogP::Figures& other = model.figures().all()[c];
          double gaps = 0;
          for (const Bytes size : sizes) {  // found as a difference of round trips, or by itself
            const Picoseconds whole = direct ? 0 : 2 * other.latency + other.gap.at(0) + other.gap.at(size);
            gaps = std::max(gaps, off(one.gap.at(size), other.gap.at(size), whole));
          }
          const double overheads = std::max(curve_off(one.send_overhead, other.send_overhead),
                                            curve_off(one.receive_overhead, other.receive_overhead));
          gap.add(i, gaps);
          overhead.add(i, overheads);
          CHECK(gaps < allowances[i].most);
          CHECK(overheads < allowances[i].most);
        }
        const double times = times_off(found, model, platform.ranks(), sizes);
        if (!direct) message.add(i, times);
        if (!direct) CHECK(times < allowances[i].most);
      }
    }
  }
}

TEST_CASE("between clusters, one pair is measured at a time") {
  const Platform platform = clusters_of_hosts({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}});
  const PairClasses classes(platform);
  // Notes which pairs between clusters there are in each batch, at the same time.
  class Watching : public ModelLaboratory {
   public:
    Watching(const Model& model, const PairClasses& classes) : ModelLaboratory(model), classes_(classes) {}
    std::size_t most = 0;
    std::vector<Measured> run(std::span<const Experiment> experiments, const Repeat& repeat) override {
      std::set<std::pair<Rank, Rank>> far;
      for (const Experiment& e : experiments) {
        if (classes_.between(classes_.of(e.a, e.b))) far.emplace(e.a, e.b);
      }
      most = std::max(most, far.size());
      return ModelLaboratory::run(experiments, repeat);
    }

   private:
    const PairClasses& classes_;
  };
  const PLogP model = RandomModels(platform, 5).plogp();
  Watching laboratory(model, classes);
  estimate_plogp(classes, laboratory);
  CHECK(laboratory.most == 1);
}

TEST_CASE("sizes are halved where a value is not on the line through the two before") {
  using Nodes = std::vector<PiecewiseLinear::Node>;
  CHECK(sizes_between(Nodes{{0, 10}, {1000, 20}, {2000, 30}, {4000, 50}}, 0.1).empty());
  CHECK(sizes_between(Nodes{{0, 10}, {1000, 20}, {2000, 40}, {4000, 80}}, 0.1) == std::vector<Bytes>{1500});
  CHECK(sizes_between(Nodes{{0, 10}, {1000, 20}, {2000, 32}}, 0.1).empty());
  CHECK(sizes_between(Nodes{{0, 10}, {1000, 20}, {1032, 90}}, 0.1).empty());  // 32 bytes
  CHECK(sizes_between(Nodes{{0, 10}, {1000, 20}, {1100, 90}}, 0.1).empty());  // a tenth
  CHECK(sizes_between(Nodes{{0, 10}, {1000, 20}}, 0.1).empty());
}

TEST_CASE("a kink or a jump anywhere is closed in on") {
  for (const Bytes kink : {777, 12'345, 50'001, 300'000}) {
    INFO("at " << kink);
    const Picoseconds before = 10'000'000 + kink * 1000;
    for (const Picoseconds jump : {0, 40'000'000}) {
      const PLogP model = simple(PiecewiseLinear({{0, 10'000'000},
                                                  {kink, before},
                                                  {kink + 1, before + jump + 9000},
                                                  {1 << 20, before + jump + (1 << 20) * Bytes{9000}}}));
      ModelLaboratory laboratory(model);
      const PLogP found(flat_cluster(2), estimate_plogp(model.figures().classes(), laboratory), 1);
      std::vector<Bytes> around;
      for (Bytes size = 1; size < 1 << 20; size = size * 5 / 4 + 1) {
        if (std::abs(static_cast<double>(size - kink)) > 0.1 * static_cast<double>(kink)) around.push_back(size);
      }
      CHECK(times_off(found, model, 2, around) < 0.03);
    }
  }
}

TEST_CASE("an indirect gap never makes an empty message longer than half its round trip") {
  // A gap that is longer than the message: a saturation is slower than round trips.
  const Platform platform = flat_cluster(2);
  const PairClasses classes(platform);
  class Odd : public Laboratory {
   public:
    std::vector<Measured> run(std::span<const Experiment> experiments, const Repeat&) override {
      std::vector<Measured> times;
      for (const Experiment& e : experiments) {
        const bool saturation = e.kind == Experiment::Kind::saturation;
        times.push_back({saturation ? Picoseconds{9000} * e.count : 10'000 + e.there, 0});
      }
      return times;
    }
    ExperimentCost cost() const override { return {}; }
  };
  Odd laboratory;
  const std::vector<PLogP::Figures> found = estimate_plogp(classes, laboratory);
  REQUIRE(found.size() == 1);
  CHECK(found[0].latency == 0);
  CHECK(found[0].gap.at(0) == 5000);
  CHECK(found[0].gap.at(1 << 20) == 5000 + (1 << 20));
}

TEST_CASE("pLogP: a message takes L + g(M), during which ports are busy for g(M)") {
  const PiecewiseLinear gap({{0, 20}, {10, 40}});
  const PiecewiseLinear send({{0, 5}, {10, 6}});
  const PLogP model(flat_cluster(2), {{30, gap, send, PiecewiseLinear({{0, 8}, {10, 50}})}}, 1);
  const MessageCost small = model.message(0, 1, 0);
  CHECK(small.overhead == 5);
  CHECK(small.send == 20);
  CHECK(small.transit == 22);
  CHECK(small.receive == 20);
  CHECK(small.receive_overhead == 8);
  const MessageCost large = model.message(1, 0, 10);  // whose overhead does not fit into the latency
  CHECK(large.transit == 0);
  CHECK(large.receive == 40);
  CHECK(large.receive_overhead == 30);
  for (const Bytes bytes : {0, 3, 10, 1000}) CHECK(message_time(model, 0, 1, bytes) == 30 + gap.at(bytes));
  CHECK(model.longest_latency() == 50);
  CHECK_THROWS_AS(model.message(1, 1, 0), Error);
  CHECK_THROWS_AS(PLogP(flat_cluster(2), {}, 1), Error);
  CHECK_THROWS_AS(PLogP(flat_cluster(2), {{-1, gap, send, send}}, 1), Error);
  CHECK_THROWS_AS(PLogP(flat_cluster(2), {{1, gap, send, send}}, 0), Error);
}
