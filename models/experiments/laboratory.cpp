#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

bool Participants::contains(Rank rank) const {
  return std::find(begin(), end(), rank) != end();
}

Rank measuring_rank(const Experiment& experiment) {
  return experiment.kind == Experiment::Kind::late_arrival ? experiment.b : experiment.a;
}

void check_experiments(std::span<const Experiment> experiments, int ranks, Bytes largest) {
  for (const Experiment& experiment : experiments) {
    const auto& [kind, a, b, c, there, back, count, delay] = experiment;
    const Participants participants(experiment);
    const bool known = std::ranges::all_of(participants, [ranks](Rank rank) { return rank >= 0 && rank < ranks; });
    const bool different = a != b && (participants.size() < 3 || (c != a && c != b));
    if (!known || !different) {
      throw Error(fmt::format("an experiment of ranks {}, {} and {}", a, b, c),
                  fmt::format("name two or three different ones of {} ranks", ranks));
    }
    if (std::min(there, back) < 0 || std::max(there, back) > largest) {
      throw Error(fmt::format("an experiment with messages of {} and {} bytes", there, back),
                  fmt::format("messages have 0 to {} bytes", largest));
    }
    if (kind == Experiment::Kind::train && count > 0 && there > largest / count) {
      throw Error(fmt::format("a train of {} messages of {} bytes", count, there),
                  fmt::format("trains have at most {} bytes", largest));
    }
    if (count < 1 || delay < 0) {
      throw Error(fmt::format("an experiment of {} messages, {} ps late", count, delay),
                  "one message at least, and no negative time");
    }
  }
}

namespace {

// Simulated clocks are sums of floating point numbers.
constexpr double rounding = 1e-6;

bool equal(Picoseconds one, Picoseconds other) {
  return static_cast<double>(std::abs(one - other)) <= rounding * static_cast<double>(std::max(one, other));
}

}  // namespace

void Series::add(Picoseconds time) {
  if (++made_ > untimed_) times_.push_back(time);
}

bool Series::enough() const {
  const int made = static_cast<int>(times_.size());
  if (made == 0) return false;
  if (made >= repeat_.most || hurried_) return true;
  if (made < (noisy_ ? repeat_.least : std::min(repeat_.least, 2))) return false;
  if (!noisy_ && (made == 1 || equal(times_[times_.size() - 2], times_.back()))) return true;
  return made > 1 && is_precise(result(), repeat_.precision);
}

Measured Series::result() const {
  return median_of(times_);
}

}  // namespace tombolo
