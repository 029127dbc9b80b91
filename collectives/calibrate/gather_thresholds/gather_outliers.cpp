#include <algorithm>
#include <cstddef>

#include <tombolo/collectives/calibrate/gather_thresholds/gather_outliers.hpp>
#include <tombolo/platform/measuring/sample.hpp>

namespace tombolo {

namespace {

constexpr Picoseconds tenfold = 10;
constexpr Picoseconds twofold = 2;

Picoseconds proportional(const SizeTime& smaller, Bytes size) {
  __extension__ using Wide = __int128;
  const Wide time = static_cast<Wide>(smaller.time) * size / std::max<Bytes>(smaller.size, 1);
  return static_cast<Picoseconds>(std::min<Wide>(time, never));
}

bool some_tenfold(const RepeatedTimes& gather, Picoseconds low) {
  return std::any_of(gather.times.begin(), gather.times.end(), [&](Picoseconds time) { return time / tenfold > low; });
}

Picoseconds worst(std::span<const Picoseconds> times) {
  return *std::max_element(times.begin(), times.end());
}

Picoseconds mean(std::span<const Picoseconds> times) {
  Picoseconds mean = 0;  // a sum of quotients, to avoid overflow
  for (const Picoseconds time : times) mean += time / static_cast<Picoseconds>(times.size());
  return mean;
}

}  // namespace

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
    const bool suspect = std::find(suspects.begin(), suspects.end(), gathers[i].size) != suspects.end();
    if (suspect && judged.row[i].escalates) gathers[i].times = again(gathers[i].size);
  }
  return judge_escalations(gathers);
}

}  // namespace tombolo
