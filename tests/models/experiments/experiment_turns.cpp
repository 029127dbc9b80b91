#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/models/experiments/experiment_turns.hpp>
#include <tombolo/models/experiments/experiments.hpp>

#include "models/designs.hpp"

using namespace tombolo;

namespace {

// Ranks that go through their turns at any pace that their words and their partners allow.
class Game {
 public:
  Game(std::vector<Experiment> batch, std::vector<int> host_of, bool serial)
      : batch_(std::move(batch)), host_of_(std::move(host_of)), at_(host_of_.size(), 0) {
    const ExperimentRounds rounds = serial ? one_after_the_other(batch_) : experiment_rounds(batch_, host_of_);
    for (Rank rank = 0; rank < static_cast<Rank>(host_of_.size()); ++rank) {
      turns_.push_back(turns_of(rank, batch_, rounds, host_of_, serial));
    }
  }

  // Begins and ends experiments in any order; false where two of a host overlap, or none can go on.
  bool play(std::mt19937& random) {
    while (true) {
      std::vector<int> possible;
      for (int e = 0; e < static_cast<int>(batch_.size()); ++e) {
        if (may_begin(e)) possible.push_back(e);
      }
      if (possible.empty() && under_way_.empty()) break;
      if (under_way_.empty() || (!possible.empty() && random() % 3 != 0)) {
        if (!begin(possible[random() % possible.size()])) return false;
      } else {
        end(*std::next(under_way_.begin(), static_cast<int>(random() % under_way_.size())));
      }
    }
    for (std::size_t rank = 0; rank < turns_.size(); ++rank) {
      if (at_[rank] != turns_[rank].size()) return false;
    }
    return words_.empty();
  }

  std::size_t most_at_a_time() const { return most_; }

 private:
  const Turn& turn(Rank rank) const {
    return turns_[static_cast<std::size_t>(rank)][at_[static_cast<std::size_t>(rank)]];
  }
  const Experiment& experiment(int e) const { return batch_[static_cast<std::size_t>(e)]; }

  bool may_begin(int e) const {
    if (under_way_.count(e) > 0) return false;
    const Participants participants(experiment(e));
    return std::all_of(participants.begin(), participants.end(), [&](Rank rank) {
      if (at_[static_cast<std::size_t>(rank)] == turns_[static_cast<std::size_t>(rank)].size()) return false;
      return turn(rank).experiment == e && (turn(rank).wait_for < 0 || words_.count({turn(rank).wait_for, rank}) > 0);
    });
  }
  bool begin(int e) {
    std::set<int> mine;
    for (const Rank rank : Participants(experiment(e))) {
      mine.insert(host_of_[static_cast<std::size_t>(rank)]);
      if (turn(rank).wait_for >= 0) words_.erase(words_.find({turn(rank).wait_for, rank}));
    }
    for (const int host : mine) {
      if (!busy_.insert(host).second) return false;
    }
    under_way_.insert(e);
    most_ = std::max(most_, under_way_.size());
    return true;
  }
  void end(int e) {
    under_way_.erase(e);
    for (const Rank rank : Participants(experiment(e))) {
      busy_.erase(host_of_[static_cast<std::size_t>(rank)]);
      for (const Rank to : turn(rank).tell) words_.insert({rank, to});
      ++at_[static_cast<std::size_t>(rank)];
    }
  }

  std::vector<Experiment> batch_;
  std::vector<int> host_of_;
  std::vector<std::vector<Turn>> turns_;
  std::vector<std::size_t> at_;
  std::set<int> under_way_;
  std::set<int> busy_;
  std::multiset<std::pair<Rank, Rank>> words_;
  std::size_t most_ = 0;
};

}  // namespace

TEST_CASE("at whatever pace ranks go through their turns, experiments of a host do not overlap, and all are made") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const int ranks = 2 + static_cast<int>(random() % 12);
    const int per_host = 1 + static_cast<int>(random() % 5);
    Game game(test::any_experiments(ranks, static_cast<int>(random() % 60), random), test::ranks_on(ranks, per_host),
              false);
    INFO(ranks << " ranks, " << per_host << " on a host");
    CHECK(game.play(random));
  }
}

TEST_CASE("serial experiments never overlap") {
  std::mt19937 random(8);
  for (int trial = 0; trial < 50; ++trial) {
    const int ranks = 2 + static_cast<int>(random() % 12);
    Game game(test::any_experiments(ranks, 40, random), test::ranks_on(ranks, 1), true);
    CHECK(game.play(random));
    CHECK(game.most_at_a_time() == 1);
  }
}

TEST_CASE("with one rank on a host nobody has to be told") {
  const auto batch = test::all_triplets(9);
  const auto hosts = test::ranks_on(9, 1);
  const ExperimentRounds rounds = experiment_rounds(batch, hosts);
  std::size_t parts = 0;
  for (Rank rank = 0; rank < 9; ++rank) {
    for (const Turn& turn : turns_of(rank, batch, rounds, hosts, false)) {
      CHECK(turn.wait_for == -1);
      CHECK(turn.tell.empty());
      ++parts;
    }
  }
  CHECK(parts == 3 * batch.size());
}
