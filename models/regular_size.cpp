#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <tombolo/models/breaks.hpp>
#include <tombolo/models/regular_size.hpp>

namespace tombolo {

namespace {

constexpr Bytes kib = 1024;
constexpr Bytes largest = 32 * kib;
// Closer where thresholds are likelier.
constexpr std::array<Bytes, 17> sizes = {0,        kib,      2 * kib,  3 * kib,  4 * kib,  6 * kib,
                                         8 * kib,  12 * kib, 16 * kib, 20 * kib, 24 * kib, 28 * kib,
                                         32 * kib, 40 * kib, 48 * kib, 56 * kib, 64 * kib};

constexpr int most_classes = 3;
constexpr int pairs_of_class = 3;
constexpr std::size_t most_segments = 4;
constexpr std::size_t shortest = 3;
constexpr double noticeable = 0.1;  // beyond the line before: what is less is noise, or would do no harm

// Before the first break in the times of these sizes.
Bytes regular_part(std::span<const Measured> times) {
  std::vector<double> x;
  std::vector<double> y;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
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

}  // namespace

Bytes regular_size(const PairClasses& classes, Laboratory& laboratory) {
  std::vector<Experiment> experiments;
  std::vector<std::size_t> pairs;  // of each class
  for (int index = 0; index < std::min(classes.size(), most_classes); ++index) {
    const std::vector<std::pair<Rank, Rank>> sample = classes.sample(index, pairs_of_class);
    pairs.push_back(sample.size());
    for (const auto& [a, b] : sample) {
      for (const Bytes size : sizes) experiments.push_back({.a = a, .b = b, .there = size});
    }
  }
  if (experiments.empty()) return largest;
  const std::vector<Measured> times = laboratory.run(experiments, {.least = 3, .precision = 0.01});
  Bytes smallest = largest;
  std::span<const Measured> left = times;
  for (const std::size_t count : pairs) {
    std::vector<Bytes> regular;
    for (std::size_t pair = 0; pair < count; ++pair, left = left.subspan(sizes.size())) {
      regular.push_back(regular_part(left.first(sizes.size())));
    }
    std::sort(regular.begin(), regular.end());
    smallest = std::min(smallest, regular[regular.size() / 2]);
  }
  return smallest;
}

}  // namespace tombolo
