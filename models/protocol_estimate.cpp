#include <algorithm>
#include <cmath>

#include <tombolo/models/protocol_estimate.hpp>

namespace tombolo {

namespace {

// A library that sends so much without meeting its receiver does so with any message.
constexpr Bytes largest = Bytes{1} << 22;
// The same over every link, where so much takes a tenth of a second on the slowest ones.
constexpr Bytes large_everywhere = Bytes{1} << 19;
constexpr Bytes no_limit = Bytes{1} << 52;
constexpr BytesPerSecond usual_rate = 100'000'000;
const Repeat late{.least = 1, .most = 3, .precision = 0.5};

// The pair that stands for a class of pairs.
struct Pair {
  Rank a = 0;
  Rank b = 0;
  Picoseconds latency = 1;
  BytesPerSecond rate = usual_rate;
  Picoseconds receive_overhead = 0;

  Picoseconds expected(Bytes bytes) const { return plus(plus(latency, latency), transfer_time(bytes, rate)); }
  /// The receiver is so late that what does not wait for it is over for sure.
  Experiment with_late_receiver(Experiment::Kind kind, Bytes bytes) const {
    constexpr Picoseconds moment = picoseconds_per_second / 10'000;
    // Of a link that seems to stand still nothing is known.
    constexpr Picoseconds longest = 60 * picoseconds_per_second;
    return {.kind = kind, .a = a, .b = b, .there = bytes, .delay = 4 * std::min(expected(bytes), longest) + moment};
  }
};

std::vector<Pair> pairs_of(const Platform& platform) {
  const PairClasses classes(platform);
  const Routes routes(platform);
  std::vector<Pair> pairs;
  for (int c = 0; c < classes.size(); ++c) {
    const auto [a, b] = classes.sample(c, 1).front();
    pairs.push_back({.a = a, .b = b, .latency = std::max<Picoseconds>(routes.latency(a, b), 1)});
    if (routes.rate(a, b) > 0) pairs.back().rate = routes.rate(a, b);
    pairs.back().receive_overhead = platform.processors[static_cast<std::size_t>(b)].receive_overhead;
  }
  return pairs;
}

/// For each of the pairs whether a send of so many bytes waits for its receive.
std::vector<bool> waits(const std::vector<std::pair<Pair, Bytes>>& asked, Laboratory& laboratory) {
  std::vector<Experiment> experiments;
  for (const auto& [pair, bytes] : asked) {
    experiments.push_back(pair.with_late_receiver(Experiment::Kind::late_receive, bytes));
  }
  const std::vector<Measured> times = laboratory.run(experiments, late);
  std::vector<bool> found;
  for (std::size_t i = 0; i < times.size(); ++i) found.push_back(times[i].value > experiments[i].delay / 2);
  return found;
}

// -1: even an empty message waits.
Bytes eager_limit(const Pair& pair, Laboratory& laboratory) {
  const auto send_waits = [&](Bytes bytes) -> bool { return waits({{pair, bytes}}, laboratory).front(); };
  if (send_waits(0)) return -1;
  Bytes eager = 0;
  Bytes waiting = 1024;
  while (!send_waits(waiting)) {
    eager = waiting;
    waiting *= 2;
    if (waiting > largest) return no_limit;
  }
  while (waiting - eager > 1) {
    const Bytes middle = eager + (waiting - eager) / 2;
    (send_waits(middle) ? waiting : eager) = middle;
  }
  return eager;
}

// The limit is the library's more than the link's: where it is found, most others have it too.
std::vector<Bytes> eager_limits(const std::vector<Pair>& pairs, Laboratory& laboratory) {
  const auto nearest = std::min_element(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return a.expected(largest) < b.expected(largest);
  });
  const Bytes limit = eager_limit(*nearest, laboratory);
  std::vector<std::pair<Pair, Bytes>> asked;
  for (const Pair& pair : pairs) {
    asked.emplace_back(pair, std::clamp<Bytes>(limit, 0, large_everywhere));
    asked.emplace_back(pair, limit < largest ? limit + 1 : 0);
  }
  const std::vector<bool> found = waits(asked, laboratory);
  std::vector<Bytes> limits;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool same = found[2 * i] == (limit < 0) && found[2 * i + 1] == (limit < largest);
    limits.push_back(same ? limit : eager_limit(pairs[i], laboratory));
  }
  return limits;
}

int thousandths(Picoseconds time, Picoseconds latency) {
  constexpr double most = 1e6;  // a latency that is next to nothing
  return static_cast<int>(
      std::lround(std::clamp(1000.0 * static_cast<double>(time) / static_cast<double>(latency), 0.0, most)));
}

}  // namespace

std::vector<Multiport::Protocol> estimate_protocols(const Platform& platform, Laboratory& laboratory) {
  const std::vector<Pair> pairs = pairs_of(platform);
  std::vector<Multiport::Protocol> protocols;
  if (pairs.empty()) return protocols;
  const std::vector<Bytes> limits = eager_limits(pairs, laboratory);

  // Times of small and of large messages follow two lines; the handshake is what lies between them at the limit.
  constexpr std::size_t sizes = 4;
  std::vector<Experiment> trips;
  std::vector<Experiment> arrivals;
  // Without a limit there is no handshake, and messages of 4 MB would be timed over the slowest links to find that out.
  const auto reference = [](Bytes limit) {
    return limit >= largest ? Bytes{64} : std::clamp<Bytes>(limit + 1, 64, largest / 2);
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
  const std::vector<Measured> arrival = laboratory.run(arrivals, late);

  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Pair& pair = pairs[i];
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
    if (limits[i] >= largest) protocols.back().handshake = 0;
  }
  return protocols;
}

}  // namespace tombolo
