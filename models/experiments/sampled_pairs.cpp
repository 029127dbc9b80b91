#include <algorithm>
#include <cmath>

#include <tombolo/models/experiments/sampled_pairs.hpp>
#include <tombolo/models/fitting/least_squares.hpp>
#include <tombolo/platform/measuring/sample.hpp>

namespace tombolo {

SampledPairs::SampledPairs(const PairClasses& classes, int most_inside, int most_between) : classes_(classes.size()) {
  for (int index = 0; index < classes_; ++index) {
    for (const std::pair<Rank, Rank>& pair :
         classes.sample(index, classes.between(index) ? most_between : most_inside)) {
      pairs_.push_back(pair);
      class_of_.push_back(index);
    }
  }
}

std::vector<Picoseconds> SampledPairs::medians(const std::vector<Picoseconds>& by_pair) const {
  std::vector<std::vector<std::int64_t>> figures(static_cast<std::size_t>(classes_));
  for (std::size_t i = 0; i < by_pair.size(); ++i)
    figures[static_cast<std::size_t>(class_of_[i])].push_back(by_pair[i]);
  std::vector<Picoseconds> found;
  found.reserve(figures.size());
  for (const std::vector<std::int64_t>& of_class : figures) found.push_back(median_of(of_class).value);
  return found;
}

std::vector<Picoseconds> SampledPairs::measure(Laboratory& laboratory, Experiment experiment,
                                               const Repeat& repeat) const {
  std::vector<Experiment> experiments;
  experiments.reserve(pairs_.size());
  for (const auto& [a, b] : pairs_) {
    experiment.a = a;
    experiment.b = b;
    experiments.push_back(experiment);
  }
  if (experiments.empty()) return {};
  std::vector<Picoseconds> times;
  times.reserve(experiments.size());
  for (const Measured& time : laboratory.run(experiments, repeat)) times.push_back(time.value);
  return medians(times);
}

std::vector<Picoseconds> SampledPairs::gaps(Laboratory& laboratory, Bytes bytes) const {
  std::vector<Saturation> saturations;
  saturations.reserve(pairs_.size());
  for (const auto& [a, b] : pairs_) saturations.push_back({.from = a, .to = b, .bytes = bytes});
  return medians(measure_gaps(laboratory, saturations));
}

namespace {

constexpr int fewest = 8;
constexpr int most = 4096;
constexpr Bytes most_bytes = Bytes{16} << 20;
constexpr double settled = 0.02;
constexpr double dominant = 0.75;  // share of gaps in the time; with less, the noise of the latency dominates

// One link: the numbers of messages so far and their times.
struct GapSeries {
  std::vector<double> counts;
  std::vector<double> times;
  double gap = 0;
  bool done = false;

  void add(int count, Picoseconds time, Bytes bytes) {
    counts.push_back(count);
    times.push_back(static_cast<double>(time));
    if (counts.size() < 2) return;
    const std::size_t last = std::min<std::size_t>(counts.size(), 3);
    const double before = gap;
    gap = least_squares(std::span(counts).last(last), std::span(times).last(last)).slope;
    const bool enough = 2 * count > most || Bytes{2} * count * bytes > most_bytes;
    const bool steady = std::abs(gap - before) < settled * gap && count * gap > dominant * times.back();
    done = counts.size() >= 3 && (enough || steady);
  }
  /// Ends the series if it has a gap.
  void hurry() { done = counts.size() >= 2; }
};

}  // namespace

std::vector<Picoseconds> measure_gaps(Laboratory& laboratory, std::span<const Saturation> saturations) {
  const TimeLeft left(laboratory, 1.0 / 8);
  std::vector<GapSeries> all(saturations.size());
  for (int count = fewest;; count *= 2) {
    std::vector<Experiment> experiments;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].done) continue;
      const Saturation& link = saturations[i];
      experiments.push_back(
          {.kind = Experiment::Kind::saturation, .a = link.from, .b = link.to, .there = link.bytes, .count = count});
      places.push_back(i);
    }
    if (experiments.empty()) break;
    const std::vector<Measured> times = laboratory.run(experiments, {.least = 4, .precision = 0.01});
    for (std::size_t i = 0; i < places.size(); ++i) {
      all[places[i]].add(count, times[i].value, saturations[places[i]].bytes);
      if (left.seconds() <= 0) all[places[i]].hurry();
    }
  }
  std::vector<Picoseconds> gaps;
  gaps.reserve(all.size());
  for (const GapSeries& series : all) gaps.push_back(std::max<Picoseconds>(0, std::llround(series.gap)));
  return gaps;
}

SmallMessage small_message(Picoseconds round_trip, Picoseconds send_overhead, Picoseconds receive_overhead) {
  const Picoseconds one_way = std::max<Picoseconds>(round_trip, 0) / 2;
  send_overhead = std::max<Picoseconds>(send_overhead, 0);
  receive_overhead = std::max<Picoseconds>(receive_overhead, 0);
  if (send_overhead + receive_overhead > one_way) {
    const double part = static_cast<double>(send_overhead) / static_cast<double>(send_overhead + receive_overhead);
    send_overhead = std::llround(part * static_cast<double>(one_way));
    receive_overhead = one_way - send_overhead;
  }
  return {send_overhead, receive_overhead, one_way - send_overhead - receive_overhead};
}

std::vector<SmallMessage> measure_small_messages(const SampledPairs& pairs, Laboratory& laboratory, Bytes bytes) {
  using Kind = Experiment::Kind;
  const Repeat repeat{.precision = 0.01};
  const auto measure = [&](Kind kind) {
    return pairs.measure(laboratory, {.kind = kind, .there = bytes, .back = bytes}, repeat);
  };
  const std::vector<Picoseconds> round_trips = measure(Kind::round_trip);
  const std::vector<Picoseconds> sends = measure(Kind::send_overhead);
  const std::vector<Picoseconds> receives = measure(Kind::receive_overhead);
  std::vector<SmallMessage> found;
  for (std::size_t i = 0; i < round_trips.size(); ++i) {
    found.push_back(small_message(round_trips[i], sends[i], receives[i]));
  }
  return found;
}

}  // namespace tombolo
