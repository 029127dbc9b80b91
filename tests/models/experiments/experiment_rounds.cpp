#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/models/experiments/experiment_rounds.hpp>
#include <tombolo/models/experiments/experiments.hpp>

#include "models/designs.hpp"

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

TEST_CASE("a hundred thousand experiments are put into rounds in no time") {
  const auto batch = all_triplets(64);
  const auto begin = std::chrono::steady_clock::now();
  const ExperimentRounds rounds = experiment_rounds(batch, ranks_on(64, 1));
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  CHECK(rounds.size() < 6200);  // 5952 at least
  CHECK(time.count() < 10);     // a tenth of a second, if it is not for sanitizers and loaded machines

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
