#include <algorithm>

#include <fmt/format.h>

#include <tombolo/models/experiments/experiments.hpp>
#include <tombolo/platform/error.hpp>

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
    const bool known =
        std::all_of(participants.begin(), participants.end(), [ranks](Rank rank) { return rank >= 0 && rank < ranks; });
    const bool different = a != b && (participants.size() < 3 || (c != a && c != b));
    if (!known || !different) {
      throw Error(fmt::format("an experiment of ranks {}, {} and {}", a, b, c),
                  fmt::format("name two or three different ones of {} ranks", ranks));
    }
    if (std::min(there, back) < 0 || std::max(there, back) > largest) {
      throw Error(fmt::format("an experiment with messages of {} and {} bytes", there, back),
                  fmt::format("messages have 0 to {} bytes", largest));
    }
    if (count < 1 || delay < 0) {
      throw Error(fmt::format("an experiment of {} messages, {} ps late", count, delay),
                  "one message at least, and no negative time");
    }
  }
}

}  // namespace tombolo
