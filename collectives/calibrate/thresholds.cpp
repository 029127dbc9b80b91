#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include <tombolo/collectives/calibrate/thresholds.hpp>
#include <tombolo/models/fitting/breaks.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr std::size_t shortest = 4;      // number of points of a line
constexpr Picoseconds escalation = 10;   // times the time of the previous size
constexpr Picoseconds out_of_order = 2;  // times the time of a larger size
constexpr double resolution = 0.001;     // relative residuals below this do not justify a break

// The row in the form of the routines in models/.
struct Points {
  explicit Points(std::span<const SizeTime> row) {
    for (const SizeTime& point : row) {
      sizes.push_back(static_cast<double>(point.size));
      times.push_back(static_cast<double>(point.time));
    }
  }
  std::vector<double> sizes;
  std::vector<double> times;
};

PerMegabyte slope(std::span<const SizeTime> row) {
  if (row.empty()) return 0;
  const Points points(row);
  return std::llround(relative_least_squares(points.sizes, points.times).slope * static_cast<double>(megabyte));
}

// Returns the index of the first point after the break of the row, if there is one. Candidates are those of Bai and
// Perron; acceptance is by relative residuals, as noise is in proportion to the times.
std::optional<std::size_t> find_break(std::span<const SizeTime> row) {
  const Points points(row);
  std::vector<Segments> partitions = optimal_partitions(points.sizes, points.times, 2, shortest);
  for (Segments& partition : partitions) {
    partition.residual = 0;
    std::size_t begin = 0;
    for (std::size_t segment = 0; segment < partition.segments(); ++segment) {
      const std::size_t end = segment < partition.breaks.size() ? partition.breaks[segment] : row.size();
      const auto sizes = std::span<const double>(points.sizes).subspan(begin, end - begin);
      const auto times = std::span<const double>(points.times).subspan(begin, end - begin);
      const Line line = relative_least_squares(sizes, times);
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        const double residual = line.at(sizes[i]) / times[i] - 1;
        partition.residual += residual * residual;
      }
      begin = end;
    }
  }
  if (partitions.size() < 2) return std::nullopt;
  const Segments& best = best_by_bic(partitions, row.size(), resolution);
  if (best.breaks.empty()) return std::nullopt;
  return best.breaks.front();
}

// A collective without any bytes may send nothing and take no time; such points are on no line.
SizeTimes timed(SizeTimes row) {
  std::erase_if(row, [](const SizeTime& point) { return point.time <= 0; });
  return row;
}

// Marks outliers: known ones, and times of more than twice the time of a larger size.
std::vector<bool> escalated(const SizeTimes& row) {
  std::vector<bool> escalated(row.size());
  Picoseconds least = never;
  for (std::size_t i = row.size(); i > 0; --i) {
    least = std::min(least, row[i - 1].time);
    escalated[i - 1] = row[i - 1].escalates || row[i - 1].time / out_of_order > least;
  }
  return escalated;
}

SizeTimes regular(const SizeTimes& row) {
  const std::vector<bool> without = escalated(row);
  SizeTimes regular;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!without[i]) regular.push_back(row[i]);
  }
  return regular;
}

// Returns the index of the first point above M_2.
std::optional<std::size_t> first_large(const SizeTimes& row) {
  const std::vector<bool> medium = escalated(row);
  std::size_t first = static_cast<std::size_t>(std::find(medium.rbegin(), medium.rend(), true).base() - medium.begin());
  const SizeTimes rest = regular(row);
  if (const auto after = find_break(rest)) {
    const auto at = std::ranges::find(row, rest[*after]);
    first = std::max(first, static_cast<std::size_t>(at - row.begin()));
  }
  if (first == 0) return std::nullopt;
  const bool known = std::ranges::any_of(row, &SizeTime::escalates);
  if (first + shortest > row.size() && !known) return std::nullopt;
  return first;
}

// Returns the index of the last size before the first outlier.
std::optional<std::size_t> last_before_escalation(std::span<const SizeTime> row) {
  for (std::size_t i = 0; i + 1 < row.size(); ++i) {
    if (row[i + 1].escalates || row[i + 1].time / escalation > row[i].time) return i;
  }
  return std::nullopt;
}

// Returns the row with the midpoints between its sizes measured too.
SizeTimes refined(const SizeTimes& row, const MeasureSizes& measure) {
  std::vector<Bytes> between;
  for (std::size_t i = 0; i + 1 < row.size(); ++i) {
    const Bytes middle = std::midpoint(row[i].size, row[i + 1].size);
    if (middle > row[i].size) between.push_back(middle);
  }
  SizeTimes both = row;
  for (const SizeTime& point : measure(between)) both.push_back(point);
  std::ranges::sort(both, {}, &SizeTime::size);
  return both;
}

constexpr Picoseconds tenfold = 10;
constexpr Picoseconds twofold = 2;

Picoseconds proportional(const SizeTime& smaller, Bytes size) {
  const Wide time = static_cast<Wide>(smaller.time) * size / std::max<Bytes>(smaller.size, 1);
  return static_cast<Picoseconds>(std::min<Wide>(time, never));
}

bool some_tenfold(const RepeatedTimes& gather, Picoseconds low) {
  return std::ranges::any_of(gather.times, [&](Picoseconds time) { return time / tenfold > low; });
}

Picoseconds worst(std::span<const Picoseconds> times) {
  return *std::ranges::max_element(times);
}

Picoseconds mean(std::span<const Picoseconds> times) {
  Picoseconds mean = 0;  // a sum of quotients, to avoid overflow
  for (const Picoseconds time : times) mean += time / static_cast<Picoseconds>(times.size());
  return mean;
}

}  // namespace

std::optional<Bytes> scatter_threshold(const SizeTimes& scatter) {
  const SizeTimes row = timed(scatter);
  const auto after = find_break(row);
  if (!after) return std::nullopt;
  return row[*after - 1].size;
}

std::optional<GatherThresholds> gather_thresholds(const SizeTimes& gather, const MeasureSizes& measure, Bytes finest) {
  const SizeTimes row = timed(gather);
  const auto large = first_large(row);
  if (!large) return std::nullopt;
  SizeTimes small(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(*large));
  while (const auto last = last_before_escalation(small)) {
    small.resize(*last + 2);
    if (small[*last + 1].size - small[*last].size <= finest) {
      small.pop_back();
    } else {
      small = refined(small, measure);
    }
  }
  return GatherThresholds{.small = small.back().size,
                          .large = row[*large - 1].size,
                          .small_slope = slope(regular(small)),
                          .large_slope = *large + 1 < row.size() ? slope(std::span(row).subspan(*large)) : 0};
}

GatherSlopes modelled_gather_slopes(PerMegabyte root, std::span<const PerMegabyte> others) {
  if (others.empty()) return {};
  const PerMegabyte at_root = static_cast<PerMegabyte>(others.size()) * root;
  return {.small = at_root + *std::ranges::max_element(others),
          .large = at_root + std::accumulate(others.begin(), others.end(), PerMegabyte{0})};
}

GatherSlopes gather_corrections(const GatherThresholds& measured, GatherSlopes modelled) {
  return {.small = measured.small_slope - modelled.small, .large = measured.large_slope - modelled.large};
}

EscalatingRow judge_escalations(std::span<const RepeatedTimes> gathers) {
  EscalatingRow judged;
  std::vector<Picoseconds> expected;
  std::vector<bool> steady;
  for (const RepeatedTimes& gather : gathers) {
    SizeTime point{gather.size, quantile_of(gather.times, 0.25).value};
    Picoseconds bound = point.time;
    for (const SizeTime& smaller : judged.row) {
      if (!smaller.escalates) bound = std::min(bound, proportional(smaller, point.size));
    }
    const bool by_chance = some_tenfold(gather, point.time);
    point.escalates = by_chance || quantile_of(gather.times, 0.75).value / twofold > bound;
    steady.push_back(!by_chance && worst(gather.times) / twofold <= point.time);
    expected.push_back(bound);
    judged.row.push_back(point);
  }
  Picoseconds most = 0;
  for (std::size_t i = 0; i < gathers.size(); ++i) {
    if (judged.row[i].escalates) most = std::max(most, worst(gathers[i].times) - expected[i]);
  }
  for (std::size_t i = 0; i < gathers.size(); ++i) {
    if (worst(gathers[i].times) - expected[i] < most / tenfold) judged.row[i].escalates = false;
  }
  for (std::size_t i = judged.row.size(); i > 0 && judged.row[i - 1].escalates && steady[i - 1]; --i) {
    judged.row[i - 1].escalates = false;
  }
  Picoseconds escalating = 0;
  for (std::size_t i = 0; i < gathers.size(); ++i) {
    if (!judged.row[i].escalates) continue;
    ++escalating;
    judged.excess += std::max<Picoseconds>(mean(gathers[i].times) - expected[i], 0);
  }
  if (escalating > 0) judged.excess /= escalating;
  return judged;
}

EscalatingRow confirmed_escalations(std::vector<RepeatedTimes>& gathers, std::span<const Bytes> suspects,
                                    const TimeAgain& again) {
  const EscalatingRow judged = judge_escalations(gathers);
  for (std::size_t i = 0; i < gathers.size(); ++i) {
    const bool suspect = std::ranges::find(suspects, gathers[i].size) != suspects.end();
    if (suspect && judged.row[i].escalates) gathers[i].times = again(gathers[i].size);
  }
  return judge_escalations(gathers);
}

}  // namespace tombolo
