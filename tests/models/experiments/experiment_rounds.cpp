#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/models/experiments/experiment_places.hpp>
#include <tombolo/models/experiments/experiment_rounds.hpp>
#include <tombolo/models/experiments/laboratory.hpp>

#include "models/designs.hpp"
#include "support/timing.hpp"

using namespace tombolo;
using test::all_pairs;
using test::all_triplets;
using test::ranks_on;

namespace {

// Every experiment is in one round, no host in two experiments of one, and no uplink in more than it carries.
bool is_sound(std::span<const Experiment> batch, const ExperimentPlaces& places, const ExperimentRounds& rounds) {
  std::vector<int> times(batch.size(), 0);
  for (const std::vector<int>& round : rounds) {
    if (round.empty()) return false;
    std::set<int> busy;
    std::vector<int> sharing(places.shared().size(), 0);
    for (const int e : round) {
      ++times[static_cast<std::size_t>(e)];
      for (const int host : places.hosts_of(batch[static_cast<std::size_t>(e)])) {
        if (!busy.insert(host).second) return false;
      }
      for (const int shared : places.shared_by(batch[static_cast<std::size_t>(e)])) {
        const auto at = static_cast<std::size_t>(shared);
        if (++sharing[at] > places.shared()[at].most) return false;
      }
    }
  }
  return std::all_of(times.begin(), times.end(), [](int n) { return n == 1; });
}

ExperimentPlaces hosts_alone(int ranks, int per_host = 1) {
  return ExperimentPlaces(ranks_on(ranks, per_host));
}

// Uplinks and backbones around any ranks.
std::vector<ExperimentPlaces::Shared> any_shared(int ranks, std::mt19937& random) {
  std::vector<ExperimentPlaces::Shared> all(random() % 4);
  for (ExperimentPlaces::Shared& shared : all) {
    for (int rank = 0; rank < ranks; ++rank) shared.inside.push_back(random() % 3 == 0);
    shared.crossed = random() % 3 != 0;
    shared.noticed = static_cast<Bytes>(random() % 2) * 64;
    shared.most = 1 + static_cast<int>(random() % 3);
  }
  return all;
}

}  // namespace

TEST_CASE("all pairs take hardly more rounds than a tournament") {
  for (int ranks = 0; ranks <= 100; ranks += ranks < 20 ? 1 : 8) {
    const auto batch = all_pairs(ranks);
    const ExperimentPlaces places = hosts_alone(ranks);
    const ExperimentRounds rounds = experiment_rounds(batch, places);
    INFO(ranks << " ranks, " << rounds.size() << " rounds");
    CHECK(is_sound(batch, places, rounds));
    const double best = ranks < 2 ? 0 : ranks - 1 + ranks % 2;
    CHECK(static_cast<double>(rounds.size()) <= 1.07 * best + 2);
  }
}

TEST_CASE("all triplets take hardly more rounds than if everybody had always something to do") {
  for (int ranks = 3; ranks <= 40; ranks += ranks < 18 ? 1 : 7) {
    const auto batch = all_triplets(ranks);
    const ExperimentPlaces places = hosts_alone(ranks);
    const ExperimentRounds rounds = experiment_rounds(batch, places);
    const int at_a_time = ranks / 3;
    const double best = static_cast<double>(batch.size()) / at_a_time;
    INFO(ranks << " ranks, " << rounds.size() << " rounds");
    CHECK(is_sound(batch, places, rounds));
    CHECK(static_cast<double>(rounds.size()) <= 1.25 * best + 1);
  }
}

TEST_CASE("any experiments of ranks that share hosts are in sound rounds") {
  std::mt19937 random(11);
  for (int trial = 0; trial < 200; ++trial) {
    const int ranks = 2 + static_cast<int>(random() % 30);
    std::vector<int> hosts(static_cast<std::size_t>(ranks));
    const int most = 1 + static_cast<int>(random() % 12);
    for (int& host : hosts) host = static_cast<int>(random() % static_cast<unsigned>(most));
    const ExperimentPlaces places(hosts, any_shared(ranks, random));
    const auto batch = test::any_experiments(ranks, static_cast<int>(random() % 200), random);
    const ExperimentRounds rounds = experiment_rounds(batch, places);
    CHECK(is_sound(batch, places, rounds));
    CHECK(rounds == experiment_rounds(batch, places));

    CHECK(rounds.size() <= batch.size());
  }
}

TEST_CASE("one after the other, they keep the order of the batch") {
  const auto batch = all_pairs(7);
  const ExperimentRounds rounds = one_after_the_other(batch);
  REQUIRE(rounds.size() == batch.size());
  for (std::size_t e = 0; e < batch.size(); ++e) CHECK(rounds[e] == std::vector<int>{static_cast<int>(e)});
}

TEST_CASE("a hundred thousand experiments are put into rounds in a time that grows with their number") {
  const auto batch = all_triplets(64);
  const ExperimentRounds rounds = experiment_rounds(batch, hosts_alone(64));
  CHECK(rounds.size() < 6200);  // 5952 at least
  const auto seconds = [](int hosts) {
    const auto triplets = all_triplets(hosts);
    return test::least_seconds([&] { experiment_rounds(triplets, hosts_alone(hosts)); });
  };
  CHECK(seconds(64) < 50 * seconds(32));  // of 8.4 times as many, whose square is 71

  std::mt19937 random(3);
  const auto some = test::any_experiments(1024, 5000, random);
  CHECK(is_sound(some, hosts_alone(1024), experiment_rounds(some, hosts_alone(1024))));
}

namespace {

// Ranks that go through their turns at any pace that their words and their partners allow.
class Game {
 public:
  Game(int ranks, std::vector<Experiment> batch, ExperimentPlaces places, bool serial)
      : batch_(std::move(batch)),
        places_(std::move(places)),
        at_(static_cast<std::size_t>(ranks), 0),
        sharing_(places_.shared().size(), 0) {
    const ExperimentRounds rounds = serial ? one_after_the_other(batch_) : experiment_rounds(batch_, places_);
    for (Rank rank = 0; rank < ranks; ++rank) turns_.push_back(turns_of(rank, batch_, rounds, places_, serial));
  }

  // Begins and ends experiments in any order; false where two of a host overlap, more than may share an uplink, or none
  // can go on.
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
    if (under_way_.contains(e)) return false;
    const Participants participants(experiment(e));
    return std::all_of(participants.begin(), participants.end(), [&](Rank rank) {
      if (at_[static_cast<std::size_t>(rank)] == turns_[static_cast<std::size_t>(rank)].size()) return false;
      return turn(rank).experiment == e && std::ranges::all_of(turn(rank).wait_for, [&](Rank from) {
               return words_.count({from, rank}) >=
                      static_cast<std::size_t>(std::ranges::count(turn(rank).wait_for, from));
             });
    });
  }
  bool begin(int e) {
    for (const Rank rank : Participants(experiment(e))) {
      for (const Rank from : turn(rank).wait_for) words_.erase(words_.find({from, rank}));
    }
    for (const int host : places_.hosts_of(experiment(e))) {
      if (!busy_.insert(host).second) return false;
    }
    for (const int shared : places_.shared_by(experiment(e))) {
      const auto at = static_cast<std::size_t>(shared);
      if (++sharing_[at] > places_.shared()[at].most) return false;
    }
    under_way_.insert(e);
    most_ = std::max(most_, under_way_.size());
    return true;
  }
  void end(int e) {
    under_way_.erase(e);
    for (const int host : places_.hosts_of(experiment(e))) busy_.erase(host);
    for (const int shared : places_.shared_by(experiment(e))) --sharing_[static_cast<std::size_t>(shared)];
    for (const Rank rank : Participants(experiment(e))) {
      for (const Rank to : turn(rank).tell) words_.insert({rank, to});
      ++at_[static_cast<std::size_t>(rank)];
    }
  }

  std::vector<Experiment> batch_;
  ExperimentPlaces places_;
  std::vector<std::vector<Turn>> turns_;
  std::vector<std::size_t> at_;
  std::vector<int> sharing_;  // experiments under way, by shared place
  std::set<int> under_way_;
  std::set<int> busy_;
  std::multiset<std::pair<Rank, Rank>> words_;
  std::size_t most_ = 0;
};

}  // namespace

TEST_CASE(
    "at whatever pace ranks go through their turns, experiments that share a place do not overlap, and all are made") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const int ranks = 2 + static_cast<int>(random() % 12);
    const int per_host = 1 + static_cast<int>(random() % 5);
    const ExperimentPlaces places(test::ranks_on(ranks, per_host), any_shared(ranks, random));
    Game game(ranks, test::any_experiments(ranks, static_cast<int>(random() % 60), random), places, false);
    INFO(ranks << " ranks, " << per_host << " on a host");
    CHECK(game.play(random));
  }
}

TEST_CASE("serial experiments never overlap") {
  std::mt19937 random(8);
  for (int trial = 0; trial < 50; ++trial) {
    const int ranks = 2 + static_cast<int>(random() % 12);
    Game game(ranks, test::any_experiments(ranks, 40, random), hosts_alone(ranks), true);
    CHECK(game.play(random));
    CHECK(game.most_at_a_time() == 1);
  }
}

TEST_CASE("with one rank on a host nobody has to be told") {
  const auto batch = test::all_triplets(9);
  const ExperimentPlaces places = hosts_alone(9);
  const ExperimentRounds rounds = experiment_rounds(batch, places);
  std::size_t parts = 0;
  for (Rank rank = 0; rank < 9; ++rank) {
    for (const Turn& turn : turns_of(rank, batch, rounds, places, false)) {
      CHECK(turn.wait_for.empty());
      CHECK(turn.tell.empty());
      ++parts;
    }
  }
  CHECK(parts == 3 * batch.size());
}
