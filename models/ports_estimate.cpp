#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include <tombolo/models/pair_classes.hpp>
#include <tombolo/models/ports_estimate.hpp>
#include <tombolo/platform/sample.hpp>

namespace tombolo {

namespace {

constexpr int whole = Network::whole;
// Of an exchange: long enough for the rate to count, short enough for a slow link.
constexpr Picoseconds long_enough = picoseconds_per_second / 20;
constexpr Bytes largest = Bytes{1} << 22;
// Rates are differences of times, which noise moves more than the times: enough of them for an interval of the median.
const Repeat repeatedly{.least = 6};
// Rates that differ by less are the same.
constexpr double alike = 0.01;
// Of the way back, in thousandths: 40 bytes for every segment of 536 are less.
constexpr int usual_acknowledgements = 100;

// Ranks on up to three hosts of a cluster, the one with the fastest port last.
std::vector<Rank> hosts_of(const Platform& platform, const PairClasses& classes, int cluster) {
  const Routes routes(platform);
  const auto rate = [&](Rank rank) {
    return platform.hosts[static_cast<std::size_t>(routes.host_of(rank))].rate.value;
  };
  std::vector<Rank> found;
  for (const Rank rank : classes.members(cluster)) {
    if (found.empty() || !classes.same_host(found.back(), rank)) found.push_back(rank);
  }
  std::stable_sort(found.begin(), found.end(), [&](Rank a, Rank b) { return rate(a) < rate(b); });
  // Neither much faster than the others: then they would be what is measured.
  const std::size_t keep = std::min<std::size_t>(found.size(), 3);
  const std::size_t from = (found.size() - keep) / 2;
  return {found.begin() + static_cast<std::ptrdiff_t>(from), found.begin() + static_cast<std::ptrdiff_t>(from + keep)};
}

struct Trial {
  int cluster = 0;
  BytesPerSecond port = 0;
  std::size_t first = 0;  // of its experiments
  bool three = false;
  Bytes exchanged = 0;
};

double rate_of(Bytes bytes, const Measured& more, const Measured& less) {
  return static_cast<double>(bytes) / std::max(1.0, static_cast<double>(more.value - less.value)) *
         picoseconds_per_second;
}

// How far that may be off, as a part of it, by the intervals of its times.
double doubt(const Measured& more, const Measured& less) {
  return static_cast<double>(more.error + less.error) / std::max(1.0, static_cast<double>(more.value - less.value));
}

// Where a cluster says nothing by itself: as elsewhere.
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

// By exchanges of all and of half, and messages of all and of half one way. Noise must not pass for acknowledgements:
// where several messages get more of a port than one, it would make many.
int taken_back(const Trial& trial, int together, std::span<const Measured> times) {
  const double port = static_cast<double>(trial.port) * together / whole;
  const Bytes half = trial.exchanged - trial.exchanged / 2;
  const double both_ways = rate_of(half, times[0], times[1]);
  const double one_way = rate_of(half, times[2], times[3]);
  const double noise = std::max(alike, doubt(times[0], times[1]) + doubt(times[2], times[3]));
  if (both_ways >= one_way * (1 - noise)) return 0;
  return static_cast<int>(std::lround(whole * std::clamp(port / both_ways - 1, 0.0, 1.0)));
}

}  // namespace

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
  // Half of a link that goes one way at a time, or a disturbance: what is there stays there.
  const std::vector<Measured> second = again.empty() ? std::vector<Measured>{} : laboratory.run(again, repeatedly);
  for (const Trial& trial : suspects) {
    const auto cluster = static_cast<std::size_t>(trial.cluster);
    const int now = taken_back(trial, together[cluster].value_or(whole), std::span(second).subspan(trial.first, 4));
    back[cluster] = std::min(*back[cluster], now);
  }
  return {.together = filled(together, whole), .back = filled(back, 0)};
}

}  // namespace tombolo
