// The multiport model's costs by protocol, and its parameters as they come back from a machine that is like it.

#include <random>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/models/kinds/multiport/multiport.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/units.hpp>

#include "models/closeness.hpp"
#include "models/figured_platform.hpp"
#include "models/multiport_laboratory.hpp"

using namespace tombolo;

namespace {

// Protocols as MPI libraries have them: the same limit everywhere, or another one between clusters.
Multiport::Parameters drawn(const Platform& platform, unsigned seed) {
  std::mt19937 random(seed);
  const auto between = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  const PairClasses classes(platform);
  Multiport::Parameters parameters;
  const Bytes limit = between(30'000, 200'000);
  for (int c = 0; c < classes.size(); ++c) {
    const bool awaits = between(0, 3) == 0;
    const int handshake = between(500, 3'000);
    parameters.protocols.push_back({.eager = between(0, 2) == 0 ? between(30'000, 200'000) : limit,
                                    .handshake = handshake,
                                    .small_awaits = awaits,
                                    .small_after_posting = awaits ? between(700, 1'000) : 0,
                                    .large_awaits = true,
                                    .large_after_posting = between(700, 1'000 + handshake)});
  }
  for (int c = 0; c < classes.clusters(); ++c) {
    // What several get more than one hides what a way back costs one.
    const bool more = between(0, 1) == 0;
    parameters.ports.together.push_back(more ? between(1'100, 2'000) : 1'000);
    parameters.ports.back.push_back(more ? 0 : between(30, 300));
  }
  // Each link by itself, or no link, has one way for both directions.
  if (between(0, 1) == 0) {
    for (std::size_t link = 0; link < platform.links.size(); ++link) {
      parameters.ports.link_back.push_back(between(0, 1) == 0 ? 0 : between(600, 1'000));
    }
  }
  parameters.header = between(0, 60);  // less than an empty message takes
  parameters.synchronous_receive = between(0, 1'000);
  return parameters;
}

std::vector<Platform> platforms() {
  std::vector<Platform> found;
  unsigned seed = 0;
  for (const Platform& platform : test_platforms()) {
    found.push_back(with_figures(platform, ++seed));
    for (Link& link : found.back().links) {  // slower than any host, for two messages together as for one
      link.rate.value /= 9;
      link.total = link.rate;
      link.flows = 2;
    }
  }
  return found;
}

// Whether the platform can tell: three hosts show what ports give together, two what the way back costs.
bool has_three_hosts(const Platform& platform, int cluster) {
  return clusters(platform.levels)[static_cast<std::size_t>(cluster)]->children.size() >= 3;
}

}  // namespace

TEST_CASE("small, large and own messages cost what the protocol says") {
  Platform platform = with_figures(clusters_of_hosts({{1, 1}, {1}}), 3);
  platform.processors[0].send_overhead = 2'000'000;
  platform.processors[2].receive_overhead = 3'000'000;
  const Routes routes(platform);
  const Multiport::Protocol near{.eager = 1000, .handshake = 2000, .large_after_posting = 1500};
  const Multiport::Protocol far{
      .eager = 500, .handshake = 1000, .small_awaits = true, .small_after_posting = 900, .large_awaits = false};
  const PairClasses classes(platform);
  REQUIRE(classes.size() == 2);
  std::vector<Multiport::Protocol> protocols(2, near);
  protocols[static_cast<std::size_t>(classes.of(0, 1))] = far;  // ranks 0 and 2 are in c0
  const Multiport model(platform, {.protocols = protocols,
                                   .ports = {.together = {1000, 1000}, .back = {0, 0}},
                                   .synchronous_receive = 250,
                                   .memory_rate = 1'000'000'000});
  const Picoseconds latency = routes.latency(0, 2);
  const MessageCost small = model.message(0, 2, 1000);
  CHECK(small.overhead == 2'000'000);
  CHECK(small.send == 2'000'000);
  CHECK(small.transit == 2'000'000 + latency);
  CHECK(small.flow == Flow{.bytes = 1000, .most = routes.rate(0, 2)});
  CHECK(small.receive_overhead == 3'000'000);
  CHECK(small.saved_if_synchronous == 2'250'000);
  CHECK_FALSE(small.synchronous);
  CHECK_FALSE(small.awaits_receive);
  const MessageCost large = model.message(0, 2, 1001);
  CHECK(large.transit == 2'000'000 + latency + latency / 1000 * 2000);
  CHECK(large.synchronous);
  CHECK(large.receive_overhead == 750'000);
  CHECK(large.saved_if_synchronous == 0);
  CHECK(large.awaits_receive);
  CHECK(large.transit_after_posting == latency / 1000 * 1500);
  const MessageCost waiting = model.message(0, 1, 500);
  CHECK(waiting.awaits_receive);
  CHECK_FALSE(waiting.synchronous);
  CHECK(waiting.transit_after_posting == routes.latency(0, 1) / 1000 * 900);
  CHECK_FALSE(model.message(0, 1, 501).awaits_receive);
  CHECK_FALSE(model.message(1, 1, 5000).synchronous);
  CHECK(model.local(1000) == 1'000'000);
  CHECK(model.longest_latency() == std::max(routes.latency(0, 1), latency));
  CHECK_THROWS_WITH(Multiport(platform, {.protocols = {near}, .ports = {}}),
                    Catch::Contains("protocols of 1 classes of pairs on a platform with 2; estimate"));
}

TEST_CASE("a header flows with the bytes between hosts, and an empty message takes the latency nevertheless") {
  Platform platform = with_figures(clusters_of_hosts({{2, 1}}), 3);  // ranks 0 and 2 share a host
  const Multiport::Protocol protocol{.eager = 100'000};
  Multiport::Parameters parameters{.protocols = {protocol, protocol}, .ports = {.together = {1000}, .back = {0}}};
  const Multiport without(platform, parameters);
  parameters.header = 64;
  for (Processor& processor : platform.processors) processor.send_overhead = processor.receive_overhead = 0;
  const Multiport with(platform, parameters);
  CHECK(with.message(0, 1, 100).flow.bytes == 164);
  CHECK(with.message(0, 2, 100).flow.bytes == 100);
  CHECK(with.message(0, 1, 0).transit < without.message(0, 1, 0).transit);
  for (const Bytes bytes : {0, 1, 5000}) {
    const Picoseconds time = message_time(without, 0, 1, bytes);
    CHECK(std::abs(message_time(with, 0, 1, bytes) - time) <= time / 1000);
  }
  // The line is the limit of a train, unless processors are.
  const Picoseconds half = train_time(with, 0, 1, 1000, 64) - train_time(with, 0, 1, 1000, 32);
  CHECK(off(half, 32 * transfer_time(1064, Routes(platform).rate(0, 1))) < 0.02);
}

TEST_CASE("the multiport model's parameters come back from a machine that is like it") {
  Worst time("multiport: time of a message");
  unsigned seed = 0;
  for (const Platform& platform : platforms()) {
    for (std::size_t i = 0; i < allowances.size(); ++i) {
      const Multiport model(platform, drawn(platform, ++seed));
      MultiportLaboratory laboratory(model, {.percent = allowances[i].percent, .seed = seed});
      const Multiport::Parameters found = estimate_multiport(platform, laboratory);
      const Multiport::Parameters& wanted = model.parameters();
      INFO(platform.ranks() << " ranks, " << allowances[i].percent << " % noise, seed " << seed);
      REQUIRE(found.protocols.size() == wanted.protocols.size());
      const double most = allowances[i].percent == 0 ? 0.02 : allowances[i].percent == 1 ? 0.05 : 0.15;
      for (std::size_t c = 0; c < wanted.protocols.size(); ++c) {
        const Multiport::Protocol& one = found.protocols[c];
        const Multiport::Protocol& other = wanted.protocols[c];
        if (other.eager < (1 << 16)) {
          CHECK(one.eager == other.eager);
        } else {
          CHECK(one.eager <= other.eager);
          CHECK(one.eager + one.eager / 16 >= other.eager);
        }
        CHECK(one.small_awaits == other.small_awaits);
        CHECK(one.large_awaits);
        if (allowances[i].percent > 0) continue;
        CHECK(off(one.handshake, other.handshake) < most);
        CHECK(off(one.small_after_posting, other.small_after_posting) < most);
        CHECK(off(one.large_after_posting, other.large_after_posting) < most);
      }
      for (std::size_t c = 0; c < wanted.ports.together.size(); ++c) {
        if (!has_three_hosts(platform, static_cast<int>(c))) continue;
        CHECK(off(found.ports.together[c], wanted.ports.together[c]) < most);
        CHECK(off(found.ports.back[c], wanted.ports.back[c]) < most);
      }
      // What both directions share shows in exchanges, unless something else is slower.
      const Multiport like(platform, found);
      const MultiportLaboratory other(like);
      const PairClasses classes(platform);
      for (Rank rank = 1; rank < platform.ranks(); ++rank) {
        const Experiment exchange{.kind = Experiment::Kind::exchange, .a = 0, .b = rank, .there = 1'000'000};
        const int first = classes.cluster_of(0);
        const int second = classes.cluster_of(rank);
        if (first == second || wanted.ports.link_back.empty()) continue;
        // What acknowledgements take is known only where hosts can tell.
        const bool told = has_three_hosts(platform, first) && has_three_hosts(platform, second);
        const std::size_t link = link_index(std::min(first, second), std::max(first, second), classes.clusters());
        if (!told && wanted.ports.link_back[link] == 0) continue;
        CHECK(off(other.time(exchange), laboratory.time(exchange)) < most);
      }
      // Where ports give several messages more than one, that has to be known.
      bool all_known = true;
      for (int c = 0; c < std::ssize(wanted.ports.together); ++c) all_known = all_known && has_three_hosts(platform, c);
      if (allowances[i].percent == 0) CHECK(std::abs(found.synchronous_receive - wanted.synchronous_receive) <= 2);
      if (allowances[i].percent == 0 && all_known) {
        CHECK(std::abs(found.header - wanted.header) <= 2 + wanted.header / 20);
      }
      const double time_off = times_off(like, model, platform.ranks(), {0, 1000, 1'000'000});
      time.add(i, time_off);
      CHECK(time_off < most);
    }
  }
}

namespace {

/// Counts what is repeated often with large messages, which over slow links takes minutes.
class CountingLaboratory final : public MultiportLaboratory {
 public:
  using MultiportLaboratory::MultiportLaboratory;

  std::vector<Measured> run(std::span<const Experiment> experiments, const Repeat& repeat) override {
    for (const Experiment& experiment : experiments) {
      if (repeat.most > 10 && experiment.there > (1 << 20)) ++large_;
    }
    return MultiportLaboratory::run(experiments, repeat);
  }
  int large() const { return large_; }

 private:
  int large_ = 0;
};

}  // namespace

TEST_CASE("a library that never waits, and one that always does") {
  const Platform platform = with_figures(flat_cluster(4), 9);
  for (const Bytes eager : {Bytes{-1}, Bytes{1} << 52}) {
    const Multiport model(platform, {.protocols = {{.eager = eager, .large_after_posting = 1000}},
                                     .ports = {.together = {1000}, .back = {0}}});
    CountingLaboratory laboratory(model);
    const Multiport::Protocol found = estimate_multiport(platform, laboratory).protocols.front();
    CHECK(laboratory.large() == 0);
    CHECK(found.eager == eager);
    CHECK(found.handshake < 20);
    CHECK(found.large_awaits == (eager < 0));
  }
}

namespace {

/// Without time for anything that may be left out.
class HurriedLaboratory final : public MultiportLaboratory {
 public:
  using MultiportLaboratory::MultiportLaboratory;
  double time_given() const override { return 1e-6; }
};

}  // namespace

TEST_CASE("without time, late receivers of long links are guessed from a near and a far pair") {
  // Latencies of 10 to 100 us inside clusters, 1 to 10 ms between them.
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const Platform platform = with_figures(clusters_of_hosts({{1, 1}, {1, 1, 1}, {1, 1}, {1}}), seed);
    const PairClasses classes(platform);
    const Routes routes(platform);
    INFO("seed " << seed);
    // A message begins its journey once its receive is posted; or the receiver's processor takes as long as a near
    // message is under way.
    for (const bool journeys : {true, false}) {
      Picoseconds shortest = never;
      const auto latency = [&](int c) {
        const auto [a, b] = classes.sample(c, 1).front();
        return routes.latency(a, b);
      };
      for (int c = 0; c < classes.size(); ++c) shortest = std::min(shortest, latency(c));
      Multiport::Parameters parameters;
      for (int c = 0; c < classes.size(); ++c) {
        const int after = journeys ? 1000 : static_cast<int>(shortest * 1000 / latency(c));
        parameters.protocols.push_back({.eager = 65'536,
                                        .handshake = 2000,
                                        .small_awaits = after > 500,
                                        .small_after_posting = after,
                                        .large_after_posting = journeys ? 3000 : 2000});
      }
      parameters.ports = {.together = std::vector<int>(4, 1000), .back = std::vector<int>(4, 0)};
      const Multiport model(platform, parameters);
      HurriedLaboratory laboratory(model);
      const std::vector<Multiport::Protocol> found = estimate_multiport(platform, laboratory).protocols;
      for (int c = 0; c < classes.size(); ++c) {
        const auto at = static_cast<std::size_t>(c);
        const bool far = latency(c) >= 1'000'000'000;
        if (!far && !journeys) continue;  // one near pair does not tell what the others do
        CHECK(found[at].small_awaits == journeys);
        CHECK(std::abs(found[at].small_after_posting - parameters.protocols[at].small_after_posting) < 60);
        CHECK(std::abs(found[at].large_after_posting - parameters.protocols[at].large_after_posting) < 60);
      }
    }
  }
}

TEST_CASE("a rank alone, and clusters that cannot tell what their ports do, are as the others") {
  const Multiport alone(flat_cluster(1), {.protocols = {}, .ports = {.together = {1000}, .back = {0}}});
  MultiportLaboratory nobody(alone);
  CHECK(estimate_multiport(flat_cluster(1), nobody).protocols.empty());
  const Platform platform = with_figures(clusters_of_hosts({{1, 1, 1}, {2}, {1, 1, 1, 1}}), 5);
  Multiport::Parameters parameters = drawn(platform, 6);
  parameters.ports = {.together = {1000, 1000, 1000}, .back = {100, 0, 100}};
  const Multiport model(platform, parameters);
  MultiportLaboratory laboratory(model);
  const PlatformNetwork::Ports ports = estimate_multiport(platform, laboratory).ports;
  CHECK(ports.together[1] == 1000);
  CHECK(std::abs(ports.back[1] - 100) < 3);
}

TEST_CASE("messages to hosts that are not as far as each other do not tell that a port sends both at once") {
  // Hosts of a site each, 4 to 24 ms away, of 5 to 29 MB/s; with or without three at home.
  for (const int home : {0, 3}) {
    const int away = 6;
    Platform platform = with_figures(flat_cluster(home + away), 3);
    platform.levels.latency = {};
    for (int h = 0; h < home + away; ++h) {
      Host& host = platform.hosts[static_cast<std::size_t>(h)];
      const int far = h < away ? h + 1 : 0;
      host.latency.value = 20'000'000 + std::int64_t{4'000'000'000} * far;
      host.rate.value = far > 0 ? 4'000'000 * (far + 1) : 125'000'000;
    }
    const Multiport model(platform, {.protocols = {{.eager = 65535, .large_after_posting = 3000}},
                                     .ports = {.together = {1000}, .back = {50}}});
    MultiportLaboratory laboratory(model);
    const PlatformNetwork::Ports found = estimate_multiport(platform, laboratory).ports;
    INFO(home << " hosts at home");
    CHECK(found.together.front() == 1000);
    CHECK(std::abs(found.back.front() - 50) < 3);
  }
}

TEST_CASE("ports of unequal hosts are each compared with their own rate") {
  for (const int together : {1000, 1500}) {
    Platform platform = with_figures(flat_cluster(12), 3);
    platform.levels.latency = {};
    for (int h = 0; h < 12; ++h) {
      Host& host = platform.hosts[static_cast<std::size_t>(h)];
      host.latency.value = 20'000'000;
      host.rate.value = 5'000'000 * (h + 1) * (h + 1);
    }
    const Multiport model(platform, {.protocols = {{.eager = 65535, .large_after_posting = 3000}},
                                     .ports = {.together = {together}, .back = {0}}});
    MultiportLaboratory laboratory(model);
    CHECK(std::abs(estimate_multiport(platform, laboratory).ports.together.front() - together) < 40);
  }
}

TEST_CASE("the multiport's parameters are the same after a file, and of ports that no machine has are refused") {
  const Platform platform = with_figures(clusters_of_hosts({{2, 1, 1}, {1, 1}}), 4);
  const Multiport model(platform, drawn(platform, 8));
  MultiportLaboratory laboratory(model);
  const Json json = multiport_model.estimate(platform, laboratory);
  const std::unique_ptr<Model> made = multiport_model.make(platform, json);
  MultiportLaboratory same(model);
  CHECK(dynamic_cast<const Multiport&>(*made).parameters() == estimate_multiport(platform, same));
  const auto refused = [&](const char* place, const Json& value, const char* says) {
    Json broken = json;
    broken[Json::json_pointer(place)] = value;
    CHECK_THROWS_WITH(multiport_model.make(platform, broken),
                      Catch::StartsWith("parameters of multiport: ") && Catch::Contains(says));
  };
  refused("/together", Json::array({1000}), "has 1 entries for 2 clusters");
  refused("/together/1", 0, "is not within 1 and 2000");
  refused("/back/0", 1001, "is not within 0 and 1000");
  refused("/link_back", Json::array({0, 1000}), "has 2 entries for 1 links");
  refused("/link_back", Json::array({-1}), "is not within 0 and 1000");
  refused("/synchronous_receive", 1001, "is not within 0 and 1000");
  refused("/classes/0/handshake", -1, "is negative");
  refused("/classes/0/pairs", "c9", "not \"");
}

TEST_CASE("where ranks outnumber cores, both ends of a message take half of what one inside the host was measured to") {
  Platform platform = with_figures(clusters_of_hosts({{2, 2}}), 1);
  for (Processor& processor : platform.processors) {
    processor.ranks_sharing = 2;
    processor.send_overhead = 3'000;
    processor.receive_overhead = 1'000;
  }
  const Multiport before = multiport_of(platform);
  Platform measured = platform;
  for (Host& host : measured.hosts) host.message = {8'000, 0};
  const Multiport after = multiport_of(measured);
  CHECK(before.shared_cores() == nullptr);
  REQUIRE(after.shared_cores() != nullptr);
  CHECK(after.shared_cores()->hosts().size() == 2);
  const MessageCost inside = after.message(0, 2, 100);
  CHECK(inside.overhead == 4'000);
  CHECK(inside.send == 4'000);
  CHECK(inside.receive_overhead == 4'000);
  CHECK(inside.transit == before.message(0, 2, 100).transit + before.message(0, 2, 100).receive_overhead + 4'000);
  const MessageCost outside = after.message(0, 1, 100);
  CHECK(outside.overhead == 7'000);
  CHECK(outside.receive_overhead == 5'000);
  CHECK(outside.transit == before.message(0, 1, 100).transit + 4'000);
}
