#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include <tombolo/models/fitting/breaks.hpp>
#include <tombolo/models/kinds/lmo/lmo_design.hpp>
#include <tombolo/platform/measuring/rounds.hpp>
#include <tombolo/platform/measuring/sample.hpp>

namespace tombolo {

namespace {

using Triplet = std::array<Rank, 3>;

constexpr std::size_t most_for_all = 24;
constexpr std::size_t most_for_all_pairs = 64;
constexpr int orders = 64;
constexpr std::size_t with_others = 8;
constexpr int pairs_of_class = 3;

void add(std::vector<Triplet>& triplets, Rank a, Rank b, Rank c) {
  Triplet triplet = {a, b, c};
  std::ranges::sort(triplet);
  triplets.push_back(triplet);
}

void add_all(std::vector<Triplet>& triplets, const std::vector<Rank>& members) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = i + 1; j < members.size(); ++j) {
      for (std::size_t k = j + 1; k < members.size(); ++k) add(triplets, members[i], members[j], members[k]);
    }
  }
}

void add_sample(std::vector<Triplet>& triplets, std::vector<Rank> members) {
  std::mt19937 random(1);
  for (int order = 0; order < orders; ++order) {
    shuffle_alike(members, random);
    const std::size_t count = members.size();
    for (std::size_t i = 0; i < count; i += 3) {  // the last triplet wraps around to the first ranks
      add(triplets, members[i], members[(i + 1) % count], members[(i + 2) % count]);
    }
  }
}

// For the ranks of a cluster of one or two.
void add_with_others(std::vector<Triplet>& triplets, const PairClasses& classes, int cluster) {
  std::vector<Rank> others;
  for (int other = 0; other < classes.clusters(); ++other) {
    if (other == cluster) continue;
    others.insert(others.end(), classes.members(other).begin(), classes.members(other).end());
  }
  const std::vector<Rank>& members = classes.members(cluster);
  const std::size_t wanted = members.size() == 2 ? 1 : 2;  // number of ranks from other clusters
  if (others.size() < wanted) return;
  const std::size_t choices = others.size() - wanted + 1;
  const std::size_t count = std::min(with_others, choices);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i * choices / count;
    add(triplets, members.front(), wanted == 1 ? members.back() : others[first + 1], others[first]);
  }
}

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
        std::ranges::count_if(row.times, [](Measured time) { return is_precise(time, quiet); }));
  }
  return 2 * precise > all;
}

}  // namespace

std::size_t LmoDesign::pair(Rank a, Rank b) const {
  const auto found = std::lower_bound(pairs.begin(), pairs.end(), std::pair(std::min(a, b), std::max(a, b)));
  return static_cast<std::size_t>(found - pairs.begin());
}

LmoDesign lmo_design(const PairClasses& classes, int ranks) {
  LmoDesign design;
  for (int cluster = 0; cluster < classes.clusters(); ++cluster) {
    const std::vector<Rank>& members = classes.members(cluster);
    if (members.size() < 3) {
      add_with_others(design.triplets, classes, cluster);
    } else if (members.size() <= most_for_all) {
      add_all(design.triplets, members);
    } else {
      add_sample(design.triplets, members);
    }
  }
  std::ranges::sort(design.triplets);
  design.triplets.erase(std::unique(design.triplets.begin(), design.triplets.end()), design.triplets.end());

  design.by_rank.resize(static_cast<std::size_t>(ranks));
  const auto add_pair = [&](Rank a, Rank b) { design.pairs.emplace_back(std::min(a, b), std::max(a, b)); };
  for (std::size_t index = 0; index < design.triplets.size(); ++index) {
    const Triplet& triplet = design.triplets[index];
    for (int place = 0; place < 3; ++place) {
      const Rank rank = triplet[static_cast<std::size_t>(place)];
      const auto same = std::ranges::count_if(
          triplet, [&](Rank other) { return classes.cluster_of(other) == classes.cluster_of(rank); });
      // A root needs as many ranks of its own cluster as possible: a long link to both partners would look like a
      // processing delay.
      const std::size_t mates = classes.members(classes.cluster_of(rank)).size();
      if (static_cast<std::size_t>(same) < std::min<std::size_t>(mates, 3)) continue;
      design.by_rank[static_cast<std::size_t>(rank)].push_back(design.roots.size());
      design.roots.push_back({static_cast<int>(index), place});
    }
    add_pair(triplet[0], triplet[1]);
    add_pair(triplet[0], triplet[2]);
    add_pair(triplet[1], triplet[2]);
  }
  for (int cluster = 0; cluster < classes.clusters(); ++cluster) {
    const std::vector<Rank>& members = classes.members(cluster);
    for (std::size_t i = 0; i < members.size() && members.size() <= most_for_all_pairs; ++i) {
      for (std::size_t j = i + 1; j < members.size(); ++j) add_pair(members[i], members[j]);
    }
  }
  for (int index = 0; index < classes.size(); ++index) {
    for (const auto& [a, b] : classes.sample(index, pairs_of_class)) add_pair(a, b);
  }
  std::ranges::sort(design.pairs);
  design.pairs.erase(std::unique(design.pairs.begin(), design.pairs.end()), design.pairs.end());
  return design;
}

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
    std::ranges::sort(of_class);
    smallest = std::min(smallest, of_class[of_class.size() / 2]);
  }
  return smallest;
}

}  // namespace tombolo
