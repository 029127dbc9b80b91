#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <tombolo/models/experiments/eager_limits.hpp>
#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/kinds/common.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/models/kinds/multiport/multiport.hpp>
#include <tombolo/models/network/platform_network.hpp>
#include <tombolo/models/pairs/pair_classes.hpp>
#include <tombolo/platform/measuring/sample.hpp>

namespace tombolo {

namespace {

constexpr int whole = Network::whole;
// Duration of an exchange: long enough for the rate to dominate, short enough for a slow link.
constexpr Picoseconds long_enough = picoseconds_per_second / 20;
constexpr Bytes largest = Bytes{1} << 22;
// Rates are differences of times and thus more sensitive to noise; six repetitions give an interval of the median.
const Repeat repeatedly{.least = 6};
// Relative difference below which rates count as equal.
constexpr double alike = 0.01;
// Share of the reverse path, in thousandths: an upper bound for 40 bytes per segment of 536.
constexpr int usual_acknowledgements = 100;

// Ranks on up to three hosts of a cluster, the host with the fastest port last.
std::vector<Rank> hosts_of(const Platform& platform, const PairClasses& classes, int cluster) {
  const Routes routes(platform);
  const auto rate = [&](Rank rank) {
    return platform.hosts[static_cast<std::size_t>(routes.host_of(rank))].rate.value;
  };
  std::vector<Rank> found;
  for (const Rank rank : classes.members(cluster)) {
    if (found.empty() || !classes.same_host(found.back(), rank)) found.push_back(rank);
  }
  std::ranges::stable_sort(found, [&](Rank a, Rank b) { return rate(a) < rate(b); });
  // Takes the middle of the order: a partner much faster or slower than the others would distort the measurement.
  const std::size_t keep = std::min<std::size_t>(found.size(), 3);
  const std::size_t from = (found.size() - keep) / 2;
  return {found.begin() + static_cast<std::ptrdiff_t>(from), found.begin() + static_cast<std::ptrdiff_t>(from + keep)};
}

struct Trial {
  int cluster = 0;
  BytesPerSecond port = 0;
  std::size_t first = 0;  // index of its first experiment
  bool three = false;
  Bytes exchanged = 0;
};

double rate_of(Bytes bytes, const Measured& more, const Measured& less) {
  return static_cast<double>(bytes) / std::max(1.0, static_cast<double>(more.value - less.value)) *
         picoseconds_per_second;
}

// Relative error of rate_of(), from the intervals of its times.
double doubt(const Measured& more, const Measured& less) {
  return static_cast<double>(more.error + less.error) / std::max(1.0, static_cast<double>(more.value - less.value));
}

// Clusters without a measurement get the median of the others, or `otherwise`.
std::vector<int> filled(const std::vector<std::optional<int>>& figures, int otherwise) {
  std::vector<std::int64_t> known;
  for (const auto& figure : figures) {
    if (figure) known.push_back(*figure);
  }
  const int usual = known.empty() ? otherwise : static_cast<int>(median_of(known).value);
  std::vector<int> all;
  for (const auto& figure : figures) all.push_back(figure.value_or(usual));
  return all;
}

// The share of acknowledgements on the reverse path, from exchanges of all and half of the bytes, and messages of all
// and half of the bytes one way. Rates that differ within the noise give 0: where concurrent messages get a higher port
// rate than one, noise would appear as a large share.
int taken_back(const Trial& trial, int together, std::span<const Measured> times) {
  const double port = static_cast<double>(trial.port) * together / whole;
  const Bytes half = trial.exchanged - trial.exchanged / 2;
  const double both_ways = rate_of(half, times[0], times[1]);
  const double one_way = rate_of(half, times[2], times[3]);
  const double noise = std::max(alike, doubt(times[0], times[1]) + doubt(times[2], times[3]));
  if (both_ways >= one_way * (1 - noise)) return 0;
  return static_cast<int>(std::lround(whole * std::clamp(port / both_ways - 1, 0.0, 1.0)));
}

// Port rates under concurrent messages, by cluster: see estimate_multiport(). `size`: a message whose send does not
// wait for its receive.
PlatformNetwork::Ports estimate_ports(const Platform& platform, Bytes size, Laboratory& laboratory) {
  const PairClasses classes(platform);
  const Routes routes(platform);
  std::vector<Trial> trials;
  std::vector<Experiment> experiments;
  for (int cluster = 0; cluster < classes.clusters(); ++cluster) {
    const std::vector<Rank> ranks = hosts_of(platform, classes, cluster);
    if (ranks.size() < 2) continue;
    const Rank a = ranks[0];
    const Rank b = ranks[1];
    const BytesPerSecond rate = routes.rate(a, b);
    if (rate <= 0) continue;
    const Bytes bytes = std::clamp<Bytes>(rate / (picoseconds_per_second / long_enough), 2, largest);
    trials.push_back({.cluster = cluster,
                      .port = platform.hosts[static_cast<std::size_t>(routes.host_of(a))].rate.value,
                      .first = experiments.size(),
                      .three = ranks.size() == 3 && size > 0,
                      .exchanged = bytes});
    experiments.push_back({.kind = Experiment::Kind::exchange, .a = a, .b = b, .there = bytes});
    experiments.push_back({.kind = Experiment::Kind::exchange, .a = a, .b = b, .there = bytes / 2});
    experiments.push_back({.a = a, .b = b, .there = bytes});
    experiments.push_back({.a = a, .b = b, .there = bytes / 2});
    if (!trials.back().three) continue;
    experiments.push_back({.kind = Experiment::Kind::one_to_two, .a = a, .b = b, .c = ranks[2], .there = size});
    experiments.push_back({.kind = Experiment::Kind::one_to_two, .a = a, .b = b, .c = ranks[2], .there = size / 2});
  }
  const std::vector<Measured> times =
      experiments.empty() ? std::vector<Measured>{} : laboratory.run(experiments, repeatedly);

  std::vector<std::optional<int>> together(static_cast<std::size_t>(classes.clusters()));
  std::vector<std::optional<int>> back(together.size());
  std::vector<Trial> suspects;
  std::vector<Experiment> again;
  for (const Trial& trial : trials) {
    const auto time = [&](std::size_t i) { return times[trial.first + i]; };
    const auto cluster = static_cast<std::size_t>(trial.cluster);
    if (trial.three) {
      const double two = 2 * rate_of(size - size / 2, time(4), time(5));
      const double more = two / static_cast<double>(trial.port);
      together[cluster] = more < 1 + alike ? whole : static_cast<int>(std::lround(whole * std::min(more, 2.0)));
    }
    back[cluster] = taken_back(trial, together[cluster].value_or(whole), std::span(times).subspan(trial.first, 4));
    if (*back[cluster] > usual_acknowledgements) {
      suspects.push_back(
          {.cluster = trial.cluster, .port = trial.port, .first = again.size(), .exchanged = trial.exchanged});
      const auto first = experiments.begin() + static_cast<std::ptrdiff_t>(trial.first);
      again.insert(again.end(), first, first + 4);
    }
  }
  // Repeats suspiciously large shares: a half-duplex link shows the same share again, a disturbance does not.
  const std::vector<Measured> second = again.empty() ? std::vector<Measured>{} : laboratory.run(again, repeatedly);
  for (const Trial& trial : suspects) {
    const auto cluster = static_cast<std::size_t>(trial.cluster);
    const int now = taken_back(trial, together[cluster].value_or(whole), std::span(second).subspan(trial.first, 4));
    back[cluster] = std::min(*back[cluster], now);
  }
  return {.together = filled(together, whole), .back = filled(back, 0)};
}

std::vector<SampledPair> pairs_of(const Platform& platform) {
  const PairClasses classes(platform);
  const Routes routes(platform);
  std::vector<SampledPair> pairs;
  for (int c = 0; c < classes.size(); ++c) {
    const auto [a, b] = classes.sample(c, 1).front();
    pairs.push_back({.a = a, .b = b, .latency = std::max<Picoseconds>(routes.latency(a, b), 1)});
    if (routes.rate(a, b) > 0) pairs.back().rate = routes.rate(a, b);
    pairs.back().receive_overhead = platform.processors[static_cast<std::size_t>(b)].receive_overhead;
  }
  return pairs;
}

int thousandths(Picoseconds time, Picoseconds latency) {
  constexpr double most = 1e6;  // bound for a latency close to 0
  return static_cast<int>(
      std::lround(std::clamp(1000.0 * static_cast<double>(time) / static_cast<double>(latency), 0.0, most)));
}

// The message protocol of each class of pairs: see estimate_multiport().
std::vector<Multiport::Protocol> estimate_protocols(const Platform& platform, Laboratory& laboratory) {
  const std::vector<SampledPair> pairs = pairs_of(platform);
  std::vector<Multiport::Protocol> protocols;
  if (pairs.empty()) return protocols;
  const std::vector<Bytes> limits = eager_limits(pairs, laboratory);

  // Times of small and of large messages follow two lines; the handshake is their difference at the limit.
  constexpr std::size_t sizes = 4;
  std::vector<Experiment> trips;
  std::vector<Experiment> arrivals;
  // Without a limit there is no handshake; messages of up to 4 MB over the slowest links would be measured in vain.
  const auto reference = [](Bytes limit) {
    return limit >= largest_limit ? Bytes{64} : std::clamp<Bytes>(limit + 1, 64, largest_limit / 2);
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Bytes limit = reference(limits[i]);
    for (const Bytes bytes : {limit / 4, limit / 2, limit + limit / 8, 2 * limit}) {
      trips.push_back({.a = pairs[i].a, .b = pairs[i].b, .there = bytes});
    }
    arrivals.push_back(pairs[i].with_late_receiver(Experiment::Kind::late_arrival, 1));
    arrivals.push_back(pairs[i].with_late_receiver(Experiment::Kind::late_arrival, 2 * limit));
  }
  const std::vector<Measured> trip = laboratory.run(trips, Repeat{});
  const std::vector<Measured> arrival = laboratory.run(arrivals, late_receiver);

  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const SampledPair& pair = pairs[i];
    const auto limit = static_cast<double>(reference(limits[i]));
    const auto time = [&](std::size_t size) { return static_cast<double>(trip[sizes * i + size].value); };
    const double small = time(1) + (time(1) - time(0)) * 2;
    const double slope = std::max(0.0, (time(3) - time(2)) / (limit * 0.875));
    const double large = time(2) - slope * limit / 8;
    const Picoseconds first = std::max<Picoseconds>(arrival[2 * i].value - pair.receive_overhead, 0);
    const auto moving = static_cast<Picoseconds>(slope * 2 * limit);
    const Picoseconds second = std::max<Picoseconds>(arrival[2 * i + 1].value - moving - pair.receive_overhead, 0);
    protocols.push_back({.eager = limits[i],
                         .handshake = thousandths(std::llround(large - small), pair.latency),
                         .small_awaits = first > pair.latency / 2,
                         .small_after_posting = thousandths(first, pair.latency),
                         .large_awaits = arrival[2 * i + 1].value > moving / 2,
                         .large_after_posting = thousandths(second, pair.latency)});
    if (limits[i] >= largest_limit) protocols.back().handshake = 0;
  }
  return protocols;
}

using Json = nlohmann::ordered_json;

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
  return json;
}

std::vector<int> figures(const JsonNode& list, int clusters, int least, int most) {
  std::vector<int> found;
  for (const JsonNode& node : list.list()) {
    found.push_back(node.small_integer());
    if (found.back() < least || found.back() > most) node.refuse(fmt::format("is not within {} and {}", least, most));
  }
  if (found.size() != static_cast<std::size_t>(clusters)) {
    list.refuse(fmt::format("has {} entries for {} clusters", found.size(), clusters));
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
  found.memory_rate = memory_rate_of(platform);
  return std::make_unique<Multiport>(platform, std::move(found));
}

}  // namespace

Multiport::Parameters estimate_multiport(const Platform& platform, Laboratory& laboratory) {
  Multiport::Parameters parameters;
  parameters.protocols = estimate_protocols(platform, laboratory);
  Bytes small = Bytes{1} << 16;
  for (const Multiport::Protocol& protocol : parameters.protocols) small = std::min(small, protocol.eager);
  parameters.ports = estimate_ports(platform, std::max<Bytes>(small, 0), laboratory);
  parameters.memory_rate = memory_rate_of(platform);
  return parameters;
}

const ModelKind multiport_model = {
    "multiport", "messages share ports and links at the level of flows; latencies and rates are the platform's",
    [](const Platform& platform, Laboratory& laboratory) {
      return written(platform, estimate_multiport(platform, laboratory));
    },
    read};

}  // namespace tombolo
