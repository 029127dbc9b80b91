#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tombolo/models/experiments/eager_limits.hpp>
#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/fitting/arithmetic.hpp>
#include <tombolo/models/kinds/common.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/models/kinds/multiport/multiport.hpp>
#include <tombolo/models/kinds/multiport/ports_estimate.hpp>
#include <tombolo/models/kinds/multiport/protocol_estimate.hpp>
#include <tombolo/models/network/platform_network.hpp>
#include <tombolo/models/pairs/pair_classes.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/measuring/sample.hpp>

namespace tombolo {

namespace {

constexpr int whole = Network::whole;
constexpr double for_header = 0.05;  // part of the laboratory's time

// A pair of each class; its hosts are those that few other classes use, so that many pairs can be measured at the same
// time, and near each other, so that it takes little.
std::vector<SampledPair> pairs_of(const Platform& platform) {
  constexpr int most_compared = 8;
  const PairClasses classes(platform);
  const Routes routes(platform);
  std::vector<int> uses(platform.hosts.size());
  const auto used = [&](Rank rank) -> int& { return uses[static_cast<std::size_t>(routes.host_of(rank))]; };
  std::vector<SampledPair> pairs;
  for (int c = 0; c < classes.size(); ++c) {
    const auto candidates = classes.sample(c, most_compared);
    const auto [a, b] = *std::ranges::min_element(candidates, {}, [&](const auto& pair) {
      return std::pair(std::max(used(pair.first), used(pair.second)), routes.latency(pair.first, pair.second));
    });
    ++used(a);
    ++used(b);
    pairs.push_back({.a = a, .b = b, .latency = std::max<Picoseconds>(routes.latency(a, b), 1)});
    if (routes.rate(a, b) > 0) pairs.back().rate = routes.rate(a, b);
    pairs.back().inside_host = classes.same_host(a, b);
    pairs.back().receive_overhead = routes.receive_overhead(a, b);
  }
  return pairs;
}

// The time of the second half of a train of messages of `bytes` bytes, of which there are `count`.
Measured second_half(const SampledPair& pair, Bytes bytes, int count, Laboratory& laboratory) {
  std::vector<Experiment> trains;
  for (const int number : {count, count / 2}) {
    trains.push_back({.kind = Experiment::Kind::train, .a = pair.a, .b = pair.b, .there = bytes, .count = number});
  }
  const std::vector<Measured> times = laboratory.run(trains, {.least = 4, .part = for_header / 3});
  return {times[0].value - times[1].value, times[0].error + times[1].error};
}

// What a message between hosts carries beside its own bytes: that with which the second half of a train takes as long
// as measured, between the hosts with the lowest rate, as it shows best there. 0 if trains of messages twice as large
// take another time than it says, so that something else is their limit, or if noise hides it.
Bytes estimate_header(const Platform& platform, const std::vector<SampledPair>& pairs,
                      const Multiport::Parameters& parameters, Laboratory& laboratory,
                      std::vector<std::string>& left_out) {
  constexpr Picoseconds usual_gap = picoseconds_per_second / 1'000'000;
  constexpr Bytes most = 1024;
  constexpr double nearly = 0.1;           // relative difference of times
  constexpr double latencies = 6 * 2 * 4;  // six trains, twice each if noisy, an answer and the meeting included
  const double longest = 2 * for_header * laboratory.time_given() / latencies;
  const Routes routes(platform);
  std::optional<std::size_t> thinnest;
  bool known = false;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].inside_host || routes.rate(pairs[i].a, pairs[i].b) <= 0) continue;
    known = true;
    if (seconds(pairs[i].latency) > longest) continue;
    if (!thinnest || pairs[i].rate < pairs[*thinnest].rate) thinnest = i;
  }
  if (known && !thinnest) left_out.emplace_back("what messages carry beside their bytes");
  if (!thinnest) return 0;
  const SampledPair& pair = pairs[*thinnest];
  // So many that their gaps take as long as the latency, whose noise would hide them.
  const auto count = [&](Picoseconds gap) {
    return static_cast<int>(std::clamp<Picoseconds>(2 * pair.latency / std::max<Picoseconds>(gap, 1), 16, 128));
  };
  const int empty = count(usual_gap);
  const Picoseconds gap = second_half(pair, 0, empty, laboratory).value / (empty - empty / 2);
  // Takes twice as long as an empty message, so that the rate is the limit.
  const Bytes bytes = std::max<Bytes>(scaled(pair.rate, 2 * gap, picoseconds_per_second), 1);
  if (gap <= 0 || bytes > parameters.protocols[*thinnest].eager / 2) return 0;

  const int number = count(2 * gap);
  const auto predicted = [&](Bytes header, Bytes of) {
    Multiport::Parameters with = parameters;
    with.header = header;
    const Multiport model(platform, with);
    return train_time(model, pair.a, pair.b, of, number) - train_time(model, pair.a, pair.b, of, number / 2);
  };
  const Measured once = second_half(pair, bytes, number, laboratory);
  const Measured twice = second_half(pair, 2 * bytes, number, laboratory);
  const auto shorter = [&](Bytes header) { return predicted(header, bytes) < once.value; };
  const Bytes header = *std::ranges::partition_point(std::views::iota(Bytes{0}, most), shorter);
  const Picoseconds other = std::abs(predicted(header, 2 * bytes) - twice.value);
  const bool clear = once.value - predicted(0, bytes) > once.error && header < most;
  const bool so_too = static_cast<double>(other) <= nearly * static_cast<double>(twice.value);
  return clear && so_too ? header : 0;
}

Json written(const Platform& platform, const Multiport::Parameters& parameters) {
  Json json = written_by_class(ByClass<Multiport::Protocol>(platform, parameters.protocols), [](const auto& protocol) {
    Json entry;
    entry["waits_from"] = protocol.eager + 1;
    entry["handshake"] = protocol.handshake;
    if (protocol.small_awaits) entry["small_after_posting"] = protocol.small_after_posting;
    if (protocol.large_awaits) entry["large_after_posting"] = protocol.large_after_posting;
    return entry;
  });
  json["together"] = parameters.ports.together;
  json["back"] = parameters.ports.back;
  if (!parameters.ports.link_back.empty()) json["link_back"] = parameters.ports.link_back;
  if (parameters.header > 0) json["header"] = parameters.header;
  if (parameters.synchronous_receive < whole) json["synchronous_receive"] = parameters.synchronous_receive;
  if (!parameters.left_out.empty()) json["left_out"] = parameters.left_out;
  return json;
}

std::vector<int> figures(const JsonNode& list, int number, int least, int most, const char* of = "clusters") {
  std::vector<int> found;
  for (const JsonNode& node : list.list()) {
    found.push_back(node.small_integer());
    if (found.back() < least || found.back() > most) node.refuse(fmt::format("is not within {} and {}", least, most));
  }
  if (found.size() != static_cast<std::size_t>(number)) {
    list.refuse(fmt::format("has {} entries for {} {}", found.size(), number, of));
  }
  return found;
}

int not_negative(const JsonNode& node) {
  const int found = node.small_integer();
  if (found < 0) node.refuse("is negative");
  return found;
}

std::unique_ptr<Model> read(const Platform& platform, const Json& parameters) {
  const JsonDocument document = parameters_document("multiport", parameters);
  const JsonNode root(document);
  const PairClasses classes(platform);
  Multiport::Parameters found;
  for (const JsonNode& entry : entries_of_classes(root, classes)) {
    Multiport::Protocol protocol;
    const JsonNode waits_from = entry.member("waits_from");
    protocol.eager = waits_from.integer() - 1;
    if (protocol.eager < -1) waits_from.refuse("is negative");
    protocol.handshake = not_negative(entry.member("handshake"));
    const auto small = entry.find("small_after_posting");
    const auto large = entry.find("large_after_posting");
    protocol.small_awaits = small.has_value();
    protocol.large_awaits = large.has_value();
    if (small) protocol.small_after_posting = not_negative(*small);
    if (large) protocol.large_after_posting = not_negative(*large);
    found.protocols.push_back(protocol);
  }
  found.ports.together = figures(root.member("together"), classes.clusters(), 1, 2 * Network::whole);
  found.ports.back = figures(root.member("back"), classes.clusters(), 0, Network::whole);
  if (const auto link_back = root.find("link_back")) {
    found.ports.link_back = figures(*link_back, static_cast<int>(platform.links.size()), 0, Network::whole, "links");
  }
  if (const auto header = root.find("header")) found.header = not_negative(*header);
  if (const auto receive = root.find("synchronous_receive")) {
    found.synchronous_receive = receive->small_integer();
    if (found.synchronous_receive < 0 || found.synchronous_receive > whole) {
      receive->refuse(fmt::format("is not within 0 and {}", whole));
    }
  }
  if (const auto left_out = root.find("left_out")) {
    for (const JsonNode& node : left_out->list()) found.left_out.push_back(node.text());
  }
  found.memory_rate = memory_rate_of(platform);
  return std::make_unique<Multiport>(platform, std::move(found));
}

}  // namespace

Multiport::Parameters estimate_multiport(const Platform& platform, Laboratory& laboratory) {
  Multiport::Parameters parameters;
  const std::vector<SampledPair> pairs = pairs_of(platform);
  if (!pairs.empty()) {
    Protocols protocols = estimate_protocols(pairs, laboratory);
    parameters.protocols = std::move(protocols.of_pairs);
    parameters.synchronous_receive = protocols.synchronous_receive;
    if (protocols.guessed > 0) {
      parameters.left_out.push_back(
          fmt::format("eager limits of {} of {} classes of pairs", protocols.guessed, pairs.size()));
    }
  }
  parameters.ports = estimate_ports(platform, {platform, parameters}, laboratory, parameters.left_out);
  parameters.memory_rate = memory_rate_of(platform);
  parameters.header = estimate_header(platform, pairs, parameters, laboratory, parameters.left_out);
  return parameters;
}

const ModelKind multiport_model = {
    "multiport", "messages share ports and links at the level of flows; latencies and rates are the platform's",
    [](const Platform& platform, Laboratory& laboratory) {
      return written(platform, estimate_multiport(platform, laboratory));
    },
    read};

}  // namespace tombolo
