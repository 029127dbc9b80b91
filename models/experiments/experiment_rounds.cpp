#include <algorithm>
#include <array>
#include <map>
#include <numeric>
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
  Filling(std::span<const Experiment> experiments, const ExperimentPlaces& places)
      : places_(places), made_(experiments.size(), 0) {
    const int hosts = places.hosts();
    pending_.resize(static_cast<std::size_t>(hosts));
    left_.resize(pending_.size());
    busy_.resize(pending_.size());
    turns_ = std::max(1, hosts - 1 + hosts % 2);
    for (std::size_t e = 0; e < experiments.size(); ++e) {
      shared_by_.push_back(places.shared_by(experiments[e]));
      const std::vector<int> on = places.hosts_of(experiments[e]);
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
      room_.clear();
      for (const ExperimentPlaces::Shared& shared : places_.shared()) room_.push_back(shared.most);
      std::vector<int> round;
      for (const int host : order) {
        if (is_busy(host)) continue;
        const Pending* const chosen = best(host, static_cast<int>(rounds.size()) % turns_);
        if (chosen == nullptr) continue;
        round.push_back(chosen->experiment);
        made_[static_cast<std::size_t>(chosen->experiment)] = 1;
        for (const int shared : shared_by(*chosen)) --room_[static_cast<std::size_t>(shared)];
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
      if (is_busy(one.with[0]) || is_busy(one.with[1]) || is_made(one) || !has_room(one)) continue;
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
  const std::vector<int>& shared_by(const Pending& one) const {
    return shared_by_[static_cast<std::size_t>(one.experiment)];
  }
  bool has_room(const Pending& one) const {
    return std::ranges::all_of(shared_by(one),
                               [this](int shared) { return room_[static_cast<std::size_t>(shared)] > 0; });
  }

  const ExperimentPlaces& places_;
  std::vector<std::vector<int>> shared_by_;    // by experiment
  std::vector<int> room_;                      // by shared place, in this round
  std::vector<std::vector<Pending>> pending_;  // by host; includes some that have been made
  std::vector<int> left_;                      // pending experiments by host
  std::vector<char> busy_;                     // by host, in this round
  std::vector<char> made_;                     // by experiment
  int turns_ = 1;
};

// The turns of one rank, and the notifications that begin and end them.
class Turns {
 public:
  Turns(Rank rank, std::span<const Experiment> experiments)
      : rank_(rank), experiments_(experiments), turn_of_(experiments.size(), none) {}

  void add(int experiment) {
    if (!Participants(at(experiment)).contains(rank_)) return;
    turn_of_[static_cast<std::size_t>(experiment)] = static_cast<int>(turns_.size());
    turns_.push_back({.experiment = experiment});
  }

  // Rank `from` tells rank `to` that an experiment is over, before a later one begins. Called in the order of the later
  // ones; `order`: of the earlier one among all. Nothing where `to` has heard of one after the earlier one: words
  // between two ranks keep their order, so that none is taken for another.
  void tell(Rank from, Rank to, int earlier, int order, int later) {
    if (from == to || (from != rank_ && to != rank_)) return;
    const auto [heard, first] = heard_.try_emplace({from, to}, order);
    if (!first && heard->second >= order) return;
    heard->second = order;
    (from == rank_ ? turn(earlier).tell : turn(later).wait_for).push_back(from == rank_ ? to : from);
  }

  std::vector<Turn> all() && { return std::move(turns_); }

 private:
  static constexpr int none = -1;
  const Experiment& at(int experiment) const { return experiments_[static_cast<std::size_t>(experiment)]; }
  Turn& turn(int experiment) {
    return turns_[static_cast<std::size_t>(turn_of_[static_cast<std::size_t>(experiment)])];
  }

  Rank rank_;
  std::span<const Experiment> experiments_;
  std::vector<int> turn_of_;                    // by experiment
  std::map<std::pair<Rank, Rank>, int> heard_;  // the last experiment of which a rank has told another, by its order
  std::vector<Turn> turns_;
};

}  // namespace

ExperimentRounds experiment_rounds(std::span<const Experiment> experiments, const ExperimentPlaces& places) {
  return Filling(experiments, places).rounds();
}

ExperimentRounds one_after_the_other(std::span<const Experiment> experiments) {
  ExperimentRounds rounds(experiments.size(), std::vector<int>(1));
  for (std::size_t e = 0; e < experiments.size(); ++e) rounds[e].front() = static_cast<int>(e);
  return rounds;
}

std::vector<Turn> turns_of(Rank rank, std::span<const Experiment> experiments, const ExperimentRounds& rounds,
                           const ExperimentPlaces& places, bool serial) {
  struct Made {
    int experiment = 0;
    int order = 0;
  };
  std::vector<std::vector<Made>> on_host(static_cast<std::size_t>(places.hosts()));
  std::vector<std::vector<Made>> on_shared(places.shared().size());
  std::vector<Made> all;
  Turns turns(rank, experiments);
  // Of the experiments there so far the one that must be over before another: `most` before it.
  const auto awaited = [](const std::vector<Made>& before, int most) -> const Made* {
    const auto number = static_cast<std::size_t>(most);
    return before.size() < number ? nullptr : &before[before.size() - number];
  };
  for (const std::vector<int>& round : rounds) {
    for (const int e : round) {
      const Experiment& experiment = experiments[static_cast<std::size_t>(e)];
      turns.add(e);
      const auto begins_after = [&](const Made* before) {
        if (before == nullptr) return;
        const Experiment& earlier = experiments[static_cast<std::size_t>(before->experiment)];
        if (Participants(earlier).contains(experiment.a)) return;
        turns.tell(measuring_rank(earlier), experiment.a, before->experiment, before->order, e);
      };
      const Made made{e, static_cast<int>(all.size())};
      if (serial) {
        begins_after(awaited(all, 1));
      } else {
        for (const Rank to : Participants(experiment)) {
          const Made* const before = awaited(on_host[static_cast<std::size_t>(places.host_of(to))], 1);
          if (before == nullptr) continue;
          const Participants earlier(experiments[static_cast<std::size_t>(before->experiment)]);
          if (earlier.contains(to)) continue;
          const Rank from =
              *std::ranges::find_if(earlier, [&](Rank r) { return places.host_of(r) == places.host_of(to); });
          turns.tell(from, to, before->experiment, before->order, e);
        }
        for (const int host : places.hosts_of(experiment)) on_host[static_cast<std::size_t>(host)].push_back(made);
        for (const int shared : places.shared_by(experiment)) {
          const auto at = static_cast<std::size_t>(shared);
          begins_after(awaited(on_shared[at], places.shared()[at].most));
          on_shared[at].push_back(made);
        }
      }
      all.push_back(made);
    }
  }
  return std::move(turns).all();
}

}  // namespace tombolo
