#include <algorithm>
#include <cmath>

#include <tombolo/models/least_squares.hpp>
#include <tombolo/models/saturation.hpp>

namespace tombolo {

namespace {

constexpr int fewest = 8;
constexpr int most = 4096;
constexpr Bytes most_bytes = Bytes{16} << 20;
constexpr double settled = 0.02;
constexpr double dominant = 0.75;  // of the time must be gaps, else the noise of the way is in them

// One link: the numbers of messages so far and their times.
struct Series {
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
};

}  // namespace

std::vector<Picoseconds> measure_gaps(Laboratory& laboratory, std::span<const Saturation> saturations) {
  std::vector<Series> all(saturations.size());
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
    }
  }
  std::vector<Picoseconds> gaps;
  gaps.reserve(all.size());
  for (const Series& series : all) gaps.push_back(std::max<Picoseconds>(0, std::llround(series.gap)));
  return gaps;
}

}  // namespace tombolo
