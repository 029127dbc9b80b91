#include <algorithm>
#include <cmath>

#include <tombolo/models/eager_limits.hpp>
#include <tombolo/models/protocol_estimate.hpp>

namespace tombolo {

namespace {

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
  constexpr double most = 1e6;  // a latency that is next to nothing
  return static_cast<int>(
      std::lround(std::clamp(1000.0 * static_cast<double>(time) / static_cast<double>(latency), 0.0, most)));
}

}  // namespace

std::vector<Multiport::Protocol> estimate_protocols(const Platform& platform, Laboratory& laboratory) {
  const std::vector<SampledPair> pairs = pairs_of(platform);
  std::vector<Multiport::Protocol> protocols;
  if (pairs.empty()) return protocols;
  const std::vector<Bytes> limits = eager_limits(pairs, laboratory);

  // Times of small and of large messages follow two lines; the handshake is what lies between them at the limit.
  constexpr std::size_t sizes = 4;
  std::vector<Experiment> trips;
  std::vector<Experiment> arrivals;
  // Without a limit there is no handshake, and messages of 4 MB would be timed over the slowest links to find that out.
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

}  // namespace tombolo
