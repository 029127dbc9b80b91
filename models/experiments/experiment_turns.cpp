#include <algorithm>

#include <tombolo/models/experiments/experiment_turns.hpp>
#include <tombolo/models/experiments/experiments.hpp>

namespace tombolo {

namespace {

// A notification: rank `from` tells rank `to` that an experiment is over, before the next one begins.
struct Word {
  Rank from = -1;
  Rank to = -1;
};

// Adds the notification to the turns of both ranks. Called in the order of the experiments.
void enter(Word word, Rank rank, Turn* earlier, Turn* now) {
  if (word.from == word.to) return;
  if (rank == word.from && earlier != nullptr) earlier->tell.push_back(word.to);
  if (rank == word.to && now != nullptr) now->wait_for = word.from;
}

}  // namespace

std::vector<Turn> turns_of(Rank rank, std::span<const Experiment> experiments, const ExperimentRounds& rounds,
                           std::span<const int> host_of, bool serial) {
  const int hosts = host_of.empty() ? 0 : *std::max_element(host_of.begin(), host_of.end()) + 1;
  const auto host = [host_of](Rank of) { return static_cast<std::size_t>(host_of[static_cast<std::size_t>(of)]); };
  constexpr int none = -1;
  std::vector<int> last_on(static_cast<std::size_t>(hosts), none);  // the last experiment on each host
  std::vector<int> turn_of(experiments.size(), none);               // turn of this rank by experiment
  std::vector<Turn> turns;
  const auto turn = [&](int e) {
    const int at = turn_of[static_cast<std::size_t>(e)];
    return at == none ? nullptr : &turns[static_cast<std::size_t>(at)];
  };
  int last = none;
  for (const std::vector<int>& round : rounds) {
    for (const int e : round) {
      const Experiment& experiment = experiments[static_cast<std::size_t>(e)];
      const Participants participants(experiment);
      if (participants.contains(rank)) {
        turn_of[static_cast<std::size_t>(e)] = static_cast<int>(turns.size());
        turns.push_back({.experiment = e});
      }
      if (serial) {
        if (last != none) {
          const Rank from = measuring_rank(experiments[static_cast<std::size_t>(last)]);
          enter({from, experiment.a}, rank, turn(last), turn(e));
        }
        last = e;
        continue;
      }
      for (const Rank to : participants) {
        const int before = last_on[host(to)];
        if (before == none) continue;
        const Participants earlier(experiments[static_cast<std::size_t>(before)]);
        if (earlier.contains(to)) continue;
        const Rank from = *std::find_if(earlier.begin(), earlier.end(), [&](Rank r) { return host(r) == host(to); });
        enter({from, to}, rank, turn(before), turn(e));
      }
      for (const Rank on : participants) last_on[host(on)] = e;
    }
  }
  return turns;
}

}  // namespace tombolo
