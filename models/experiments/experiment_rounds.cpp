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

constexpr int none = -1;

// The turns of one rank, and the notifications that begin and end them.
class Turns {
 public:
  Turns(Rank rank, std::span<const Experiment> experiments)
      : rank_(rank),
        experiments_(experiments),
        order_of_(experiments.size(), none),
        turn_of_(experiments.size(), none) {}

  const Experiment& at(int experiment) const { return experiments_[static_cast<std::size_t>(experiment)]; }

  // In the order of the rounds.
  void add(int experiment) {
    order_of_[static_cast<std::size_t>(experiment)] = added_++;
    if (!Participants(at(experiment)).contains(rank_)) return;
    turn_of_[static_cast<std::size_t>(experiment)] = static_cast<int>(turns_.size());
    turns_.push_back({.experiment = experiment});
  }

  // Rank `from` tells rank `to` that an experiment is over, before a later one begins. Called in the order of the later
  // ones. Nothing where `to` hears anyway of one after the earlier one: words between two ranks keep their order, so
  // that none is taken for another.
  void tell(Rank from, Rank to, int earlier, int later) {
    if (from == to || (from != rank_ && to != rank_)) return;
    const int order = order_of_[static_cast<std::size_t>(earlier)];
    const auto [heard, first] = heard_.try_emplace({from, to}, order);
    if (!first && heard->second >= order) return;
    heard->second = order;
    if (from == rank_) {
      turn(earlier).tell.push_back(to);
    } else {
      turn(later).wait_for.push_back(from);
    }
  }
  // The first rank of an experiment hears that an earlier one, if there is any, is over.
  void begin_after(int earlier, int later) {
    if (earlier != none) tell(measuring_rank(at(earlier)), at(later).a, earlier, later);
  }

  std::vector<Turn> all() && { return std::move(turns_); }

 private:
  Turn& turn(int experiment) {
    return turns_[static_cast<std::size_t>(turn_of_[static_cast<std::size_t>(experiment)])];
  }

  Rank rank_;
  std::span<const Experiment> experiments_;
  int added_ = 0;
  std::vector<int> order_of_;                   // by experiment
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
  Turns turns(rank, experiments);
  int last = none;
  std::vector<int> last_on(static_cast<std::size_t>(places.hosts()), none);
  std::vector<std::vector<int>> over(places.shared().size());  // all experiments of each shared place
  const auto host = [&places](Rank of) { return static_cast<std::size_t>(places.host_of(of)); };
  const auto after_others_on_its_hosts = [&](int e) {
    const Participants participants(turns.at(e));
    for (const Rank to : participants) {
      const int before = last_on[host(to)];
      if (before == none) continue;
      const Participants earlier(turns.at(before));
      if (earlier.contains(to)) continue;
      const Rank from = *std::ranges::find_if(earlier, [&](Rank r) { return host(r) == host(to); });
      turns.tell(from, to, before, e);
    }
    for (const Rank on : participants) last_on[host(on)] = e;
  };
  const auto after_others_on_shared_places = [&](int e) {
    for (const int shared : places.shared_by(turns.at(e))) {
      std::vector<int>& before = over[static_cast<std::size_t>(shared)];
      const auto most = static_cast<std::size_t>(places.shared()[static_cast<std::size_t>(shared)].most);
      if (before.size() >= most) turns.begin_after(before[before.size() - most], e);
      before.push_back(e);
    }
  };
  for (const std::vector<int>& round : rounds) {
    for (const int e : round) {
      turns.add(e);
      if (serial) {
        turns.begin_after(last, e);
        last = e;
      } else {
        after_others_on_its_hosts(e);
        after_others_on_shared_places(e);
      }
    }
  }
  return std::move(turns).all();
}

}  // namespace tombolo
