#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <vector>

#include <tombolo/models/experiments/regular_size.hpp>
#include <tombolo/models/fitting/breaks.hpp>
#include <tombolo/platform/measuring/sample.hpp>

namespace tombolo {

namespace {

constexpr Bytes kib = 1024;
constexpr Bytes largest_in_noise = 32 * kib;  // upper bound with noise
constexpr Bytes largest_without = 8 * kib;
constexpr std::size_t sizes_without = 10;  // three beyond largest_without, so that a break there shows
constexpr double quiet = 0.001;            // half an interval over its median
// Denser near common thresholds.
constexpr std::array<Bytes, 17> sizes = {0,        kib,      2 * kib,  3 * kib,  4 * kib,  6 * kib,
                                         8 * kib,  12 * kib, 16 * kib, 20 * kib, 24 * kib, 28 * kib,
                                         32 * kib, 40 * kib, 48 * kib, 56 * kib, 64 * kib};

constexpr int most_classes = 3;
constexpr int pairs_of_class = 3;
constexpr std::size_t most_segments = 4;
constexpr std::size_t shortest = 3;
constexpr double noticeable = 0.1;  // relative to the line before; less is noise, or harmless

// The largest size before the first break in the times.
Bytes regular_part(const std::vector<Measured>& times, Bytes largest) {
  std::vector<double> x;
  std::vector<double> y;
  for (std::size_t i = 0; i < times.size(); ++i) {
    x.push_back(static_cast<double>(sizes[i]));
    y.push_back(static_cast<double>(std::max<std::int64_t>(times[i].value, 1)));
  }
  for (const std::size_t at : find_breaks(x, y, most_segments, shortest).breaks) {
    const Line line = relative_least_squares(std::span(x).first(at), std::span(y).first(at));
    std::vector<double> off;
    for (std::size_t i = at; i < at + shortest; ++i) off.push_back(std::abs(y[i] / line.at(x[i]) - 1));
    if (middle_of(off) > noticeable) return std::min(sizes[at - 1], largest);
  }
  return largest;
}

// One pair of ranks, with the times of the smallest sizes.
struct Row {
  int index = 0;  // of the class
  Rank a = 0;
  Rank b = 0;
  std::vector<Measured> times = {};
};

void measure_up_to(std::size_t count, std::vector<Row>& rows, Laboratory& laboratory) {
  std::vector<Experiment> experiments;
  for (const Row& row : rows) {
    for (std::size_t i = row.times.size(); i < count; ++i) {
      experiments.push_back({.a = row.a, .b = row.b, .there = sizes[i]});
    }
  }
  const std::vector<Measured> times = laboratory.run(experiments, {.least = 3, .precision = 0.01});
  auto next = times.begin();
  for (Row& row : rows) {
    while (row.times.size() < count) row.times.push_back(*next++);
  }
}

bool is_quiet(const std::vector<Row>& rows) {
  std::size_t precise = 0;
  std::size_t all = 0;
  for (const Row& row : rows) {
    all += row.times.size();
    precise += static_cast<std::size_t>(
        std::count_if(row.times.begin(), row.times.end(), [](Measured time) { return is_precise(time, quiet); }));
  }
  return 2 * precise > all;
}

}  // namespace

Bytes regular_size(const PairClasses& classes, Laboratory& laboratory) {
  std::vector<Row> rows;
  for (int index = 0; index < std::min(classes.size(), most_classes); ++index) {
    for (const auto& [a, b] : classes.sample(index, pairs_of_class)) rows.push_back({.index = index, .a = a, .b = b});
  }
  if (rows.empty()) return largest_without;
  measure_up_to(sizes_without, rows, laboratory);
  const bool without = is_quiet(rows);
  if (!without) measure_up_to(sizes.size(), rows, laboratory);
  std::map<int, std::vector<Bytes>> regular;  // by class
  for (const Row& row : rows) {
    regular[row.index].push_back(regular_part(row.times, without ? largest_without : largest_in_noise));
  }
  Bytes smallest = largest_in_noise;
  for (auto& [index, of_class] : regular) {
    std::sort(of_class.begin(), of_class.end());
    smallest = std::min(smallest, of_class[of_class.size() / 2]);
  }
  return smallest;
}

}  // namespace tombolo
