#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/models/experiments/experiment_rounds.hpp>
#include <tombolo/models/experiments/laboratory.hpp>

#include "models/designs.hpp"
#include "support/timing.hpp"

using namespace tombolo;
using test::all_pairs;
using test::all_triplets;
using test::ranks_on;

namespace {

// Every experiment is in one round, and no host in two experiments of one.
bool is_sound(std::span<const Experiment> batch, const std::vector<int>& host_of, const ExperimentRounds& rounds) {
  std::vector<int> times(batch.size(), 0);
  for (const std::vector<int>& round : rounds) {
    if (round.empty()) return false;
    std::set<int> busy;
    for (const int e : round) {
      ++times[static_cast<std::size_t>(e)];
      std::set<int> hosts;
      for (const Rank rank : Participants(batch[static_cast<std::size_t>(e)])) {
        hosts.insert(host_of[static_cast<std::size_t>(rank)]);
      }
      for (const int host : hosts) {
        if (!busy.insert(host).second) return false;
      }
    }
  }
  return std::all_of(times.begin(), times.end(), [](int n) { return n == 1; });
}

}  // namespace

TEST_CASE("all pairs take hardly more rounds than a tournament") {
  for (int ranks = 0; ranks <= 100; ranks += ranks < 20 ? 1 : 8) {
    const auto batch = all_pairs(ranks);
    const auto hosts = ranks_on(ranks, 1);
    const ExperimentRounds rounds = experiment_rounds(batch, hosts);
    INFO(ranks << " ranks, " << rounds.size() << " rounds");
    CHECK(is_sound(batch, hosts, rounds));
    const double best = ranks < 2 ? 0 : ranks - 1 + ranks % 2;
    CHECK(static_cast<double>(rounds.size()) <= 1.07 * best + 2);
  }
}

TEST_CASE("all triplets take hardly more rounds than if everybody had always something to do") {
  for (int ranks = 3; ranks <= 40; ranks += ranks < 18 ? 1 : 7) {
    const auto batch = all_triplets(ranks);
    const auto hosts = ranks_on(ranks, 1);
    const ExperimentRounds rounds = experiment_rounds(batch, hosts);
    const double best = static_cast<double>(batch.size()) / (ranks / 3);
    INFO(ranks << " ranks, " << rounds.size() << " rounds");
    CHECK(is_sound(batch, hosts, rounds));
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
    const auto batch = test::any_experiments(ranks, static_cast<int>(random() % 200), random);
    const ExperimentRounds rounds = experiment_rounds(batch, hosts);
    CHECK(is_sound(batch, hosts, rounds));
    CHECK(rounds == experiment_rounds(batch, hosts));

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
  const ExperimentRounds rounds = experiment_rounds(batch, ranks_on(64, 1));
  CHECK(rounds.size() < 6200);  // 5952 at least
  const auto seconds = [](int hosts) {
    const auto triplets = all_triplets(hosts);
    return test::least_seconds([&] { experiment_rounds(triplets, ranks_on(hosts, 1)); });
  };
  CHECK(seconds(64) < 50 * seconds(32));  // of 8.4 times as many, whose square is 71

  std::mt19937 random(3);
  const auto some = test::any_experiments(1024, 5000, random);
  CHECK(is_sound(some, ranks_on(1024, 1), experiment_rounds(some, ranks_on(1024, 1))));
}

TEST_CASE("hosts are numbered in the order of their first ranks") {
  Platform platform;
  for (const char* const host : {"b", "a", "b", "c", "a"}) {
    Processor processor;
    processor.host = host;
    platform.processors.push_back(processor);
  }
  CHECK(hosts_of_ranks(platform) == std::vector<int>{0, 1, 0, 2, 1});
}

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
