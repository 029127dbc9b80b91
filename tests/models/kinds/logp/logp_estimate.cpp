#include <algorithm>
#include <optional>
#include <string>

#include <catch2/catch.hpp>

#include <tombolo/models/experiments/sampled_pairs.hpp>
#include <tombolo/models/kinds/logp/logp.hpp>
#include <tombolo/units.hpp>

#include "models/closeness.hpp"
#include "models/model_laboratory.hpp"
#include "models/random_models.hpp"
#include "models/test_platforms.hpp"

using namespace tombolo;

namespace {

/// Estimates models that make(RandomModels) makes, of all platforms and with all noise, and checks their figures.
template <class Make, class Estimate>
void check_estimates(const std::string& name, unsigned seed, const Make& make, const Estimate& estimate) {
  Worst overhead(name + ": o_s, o_r");
  Worst latency(name + ": L");
  Worst gap(name + ": g");
  std::optional<Worst> per_byte;
  for (const Platform& platform : test_platforms()) {
    for (std::size_t i = 0; i < allowances.size(); ++i) {
      RandomModels random(platform, ++seed);
      const auto model = make(random);
      ModelLaboratory laboratory(model, {.percent = allowances[i].percent, .seed = seed});
      const auto found = estimate(model.figures().classes(), laboratory);
      REQUIRE(found.size() == model.figures().all().size());
      INFO(platform.ranks() << " ranks, " << allowances[i].percent << " % noise");
      const auto check = [&](Worst& worst, double is_off) {
        worst.add(i, is_off);
        CHECK(is_off < allowances[i].most);
      };
      for (std::size_t c = 0; c < found.size(); ++c) {
        const auto& wanted = model.figures().all()[c];
        const Picoseconds message = wanted.latency + wanted.send_overhead + wanted.receive_overhead;
        check(overhead, std::max(off(found[c].send_overhead, wanted.send_overhead),
                                 off(found[c].receive_overhead, wanted.receive_overhead)));
        check(latency, off(found[c].latency, wanted.latency, message));
        check(gap, off(found[c].gap, wanted.gap));
        if constexpr (requires { wanted.gap_per_megabyte; }) {
          if (!per_byte) per_byte.emplace(name + ": G");
          check(*per_byte, off(found[c].gap_per_megabyte, wanted.gap_per_megabyte));
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("LogP's parameters are found, with noise close to it") {
  check_estimates(
      "logp", 0, [](RandomModels& random) { return random.logp(logp_size); },
      [](const PairClasses& classes, Laboratory& laboratory) { return estimate_logp(classes, laboratory); });
}

TEST_CASE("LogGP's parameters are found, with noise close to it") {
  check_estimates(
      "loggp", 50, [](RandomModels& random) { return random.loggp(); },
      [](const PairClasses& classes, Laboratory& laboratory) { return estimate_loggp(classes, laboratory); });
}

TEST_CASE("calls that take longer than the message share its time") {
  CHECK(small_message(100, 10, 20) == SmallMessage{10, 20, 20});
  CHECK(small_message(100, 25, 25) == SmallMessage{25, 25, 0});
  CHECK(small_message(100, 150, 50) == SmallMessage{38, 12, 0});
  CHECK(small_message(0, 5, 5) == SmallMessage{0, 0, 0});
}

TEST_CASE("LogP: a message takes L + o_s + o_r, a large one a gap more for each further small one") {
  const Platform platform = flat_cluster(2);
  const LogP model(platform, {{.send_overhead = 2, .receive_overhead = 3, .latency = 50, .gap = 10}}, 100, 1);
  for (const Bytes bytes : {0, 1, 100}) {
    const MessageCost cost = model.message(0, 1, bytes);
    CHECK(message_time(model, 0, 1, bytes) == 55);
    CHECK(cost.overhead == 2);
    CHECK(cost.send == 10);
    CHECK(cost.receive == 10);
    CHECK(cost.receive_overhead == 3);
  }
  CHECK(message_time(model, 0, 1, 101) == 65);
  CHECK(message_time(model, 1, 0, 1000) == 145);
  CHECK(model.message(0, 1, 1000).send == 100);
  CHECK(model.message(0, 1, 1000).overhead == 20);
  CHECK(model.longest_latency() == 55);
  CHECK(message_time(model, 0, 1, std::numeric_limits<Bytes>::max()) > 0);
}

TEST_CASE("LogGP: a message takes L + o_s + o_r + (M - 1) G, and ports are busy for g + (M - 1) G") {
  const Platform platform = flat_cluster(2);
  const LogGP::Figures figures{
      .send_overhead = 2, .receive_overhead = 3, .latency = 50, .gap = 10, .gap_per_megabyte = 4 * megabyte};
  const LogGP model(platform, {figures}, 1);
  CHECK(message_time(model, 0, 1, 0) == 55);
  CHECK(message_time(model, 0, 1, 1) == 55);
  CHECK(message_time(model, 0, 1, 11) == 95);
  const MessageCost cost = model.message(0, 1, 11);
  CHECK(cost.overhead == 2);
  CHECK(cost.send == 50);
  CHECK(cost.receive == 50);
  CHECK(cost.receive_overhead == 3);
  CHECK(cost.transit == 42);
  // A gap that is longer than the way leaves the total as it is.
  const LogGP slow(platform, {{.send_overhead = 2, .receive_overhead = 3, .latency = 5, .gap = 90}}, 1);
  CHECK(message_time(slow, 0, 1, 1) == 10);
  CHECK(slow.message(0, 1, 1).send == 90);
}

TEST_CASE("figures of LogP and LogGP that no network has are refused") {
  const Platform platform = flat_cluster(2);
  CHECK_THROWS_AS(LogP(platform, {}, 100, 1), Error);
  CHECK_THROWS_AS(LogP(platform, {{}}, 0, 1), Error);
  CHECK_THROWS_AS(LogP(platform, {{}}, 1, 0), Error);
  CHECK_THROWS_AS(LogP(platform, {{.latency = -1}}, 1, 1), Error);
  CHECK_THROWS_AS(LogP(platform, {{.gap = -1}}, 1, 1), Error);
  CHECK_THROWS_AS(LogGP(platform, {{}, {}}, 1), Error);
  CHECK_THROWS_AS(LogGP(platform, {{.gap_per_megabyte = -1}}, 1), Error);
  CHECK_THROWS_AS(LogGP(platform, {{.send_overhead = -1}}, 1), Error);
  CHECK_THROWS_AS(LogGP(platform, {{}}, 1).message(1, 1, 0), Error);
}
