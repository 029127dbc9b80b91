#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include <tombolo/models/experiments/experiment_rounds.hpp>

namespace tombolo {

namespace {

// Bound on the compared candidates for the next experiment: more of them give fewer rounds but a slower search.
constexpr int most_compared = 64;

// A pending experiment of a host, with its other hosts; for fewer than three hosts, entries repeat.
struct Pending {
  int experiment = 0;
  std::array<int, 2> with{};
};

// Fills one round after the other. In each round, hosts with the most pending experiments choose first, and choose the
// experiment whose other hosts have the most pending, so that no host ends up with many experiments that only it
// delays.
class Filling {
 public:
  Filling(std::span<const Experiment> experiments, std::span<const int> host_of) : made_(experiments.size(), 0) {
    const int hosts = host_of.empty() ? 0 : *std::ranges::max_element(host_of) + 1;
    pending_.resize(static_cast<std::size_t>(hosts));
    left_.resize(pending_.size());
    busy_.resize(pending_.size());
    turns_ = std::max(1, hosts - 1 + hosts % 2);
    std::vector<int> on;
    for (std::size_t e = 0; e < experiments.size(); ++e) {
      on.clear();
      for (const Rank rank : Participants(experiments[e])) on.push_back(host_of[static_cast<std::size_t>(rank)]);
      std::ranges::sort(on);
      on.erase(std::unique(on.begin(), on.end()), on.end());
      for (std::size_t i = 0; i < on.size(); ++i) {
        const std::array<int, 2> with = {on[(i + 1) % on.size()], on[(i + on.size() - 1) % on.size()]};
        pending_[static_cast<std::size_t>(on[i])].push_back({static_cast<int>(e), with});
        ++left(on[i]);
      }
    }
  }

  ExperimentRounds rounds() {
    ExperimentRounds rounds;
    std::vector<int> order(left_.size());
    std::iota(order.begin(), order.end(), 0);
    while (true) {
      std::erase_if(order, [this](int host) { return left(host) == 0; });
      if (order.empty()) return rounds;
      std::ranges::stable_sort(order, [this](int a, int b) { return left(a) > left(b); });
      std::ranges::fill(busy_, 0);
      std::vector<int> round;
      for (const int host : order) {
        if (is_busy(host)) continue;
        const Pending* const chosen = best(host, static_cast<int>(rounds.size()) % turns_);
        if (chosen == nullptr) continue;
        round.push_back(chosen->experiment);
        made_[static_cast<std::size_t>(chosen->experiment)] = 1;
        for (const int on : {host, chosen->with[0], chosen->with[1]}) {
          left(on) -= is_busy(on) ? 0 : 1;
          busy_[static_cast<std::size_t>(on)] = 1;
        }
      }
      rounds.push_back(std::move(round));
    }
  }

 private:
  // Breaks ties by a round-robin tournament (circle method), which spares a complete set of pairs the search.
  const Pending* best(int host, int turn) {
    std::vector<Pending>& mine = pending_[static_cast<std::size_t>(host)];
    const auto is_made = [this](const Pending& one) { return made_[static_cast<std::size_t>(one.experiment)] != 0; };
    if (mine.size() > static_cast<std::size_t>(2 * left(host))) std::erase_if(mine, is_made);
    const Pending* best = nullptr;
    int most = -1;
    int compared = 0;
    for (const Pending& one : mine) {
      if (is_busy(one.with[0]) || is_busy(one.with[1]) || is_made(one)) continue;
      const bool in_turn = (host + one.with[0]) % turns_ == turn;
      const int score = 2 * (left(one.with[0]) + left(one.with[1])) + (in_turn ? 1 : 0);
      if (score > most) best = &one;
      most = std::max(most, score);
      if (++compared == most_compared) break;
    }
    return best;
  }

  bool is_busy(int host) const { return busy_[static_cast<std::size_t>(host)] != 0; }
  int& left(int host) { return left_[static_cast<std::size_t>(host)]; }

  std::vector<std::vector<Pending>> pending_;  // by host; includes some that have been made
  std::vector<int> left_;                      // pending experiments by host
  std::vector<char> busy_;                     // by host, in this round
  std::vector<char> made_;                     // by experiment
  int turns_ = 1;
};

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

ExperimentRounds experiment_rounds(std::span<const Experiment> experiments, std::span<const int> host_of) {
  return Filling(experiments, host_of).rounds();
}

ExperimentRounds one_after_the_other(std::span<const Experiment> experiments) {
  ExperimentRounds rounds(experiments.size(), std::vector<int>(1));
  for (std::size_t e = 0; e < experiments.size(); ++e) rounds[e].front() = static_cast<int>(e);
  return rounds;
}

std::vector<int> hosts_of_ranks(const Platform& platform) {
  std::map<std::string, int> numbers;
  std::vector<int> hosts;
  for (const Processor& processor : platform.processors) {
    hosts.push_back(numbers.emplace(processor.host, static_cast<int>(numbers.size())).first->second);
  }
  return hosts;
}

std::vector<Turn> turns_of(Rank rank, std::span<const Experiment> experiments, const ExperimentRounds& rounds,
                           std::span<const int> host_of, bool serial) {
  const int hosts = host_of.empty() ? 0 : *std::ranges::max_element(host_of) + 1;
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
        const Rank from = *std::ranges::find_if(earlier, [&](Rank r) { return host(r) == host(to); });
        enter({from, to}, rank, turn(before), turn(e));
      }
      for (const Rank on : participants) last_on[host(on)] = e;
    }
  }
  return turns;
}

}  // namespace tombolo
