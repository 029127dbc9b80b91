#include <algorithm>
#include <set>
#include <utility>

#include <catch2/catch.hpp>

#include <tombolo/platform/measuring/rounds.hpp>

using namespace tombolo;

namespace {

std::vector<std::vector<int>> all_tournaments(int players) {
  std::vector<std::vector<int>> opponents;
  for (int player = 0; player < players; ++player) opponents.push_back(tournament(player, players));
  return opponents;
}

}  // namespace

TEST_CASE("everybody meets everybody once, and in a round nobody meets two") {
  for (int players = 0; players <= 65; ++players) {
    INFO(players << " players");
    const auto opponents = all_tournaments(players);
    const int rounds = players < 2 ? 0 : players - 1 + players % 2;
    std::set<std::pair<int, int>> met;
    bool sound = true;
    for (int player = 0; player < players; ++player) {
      const std::vector<int>& mine = opponents[static_cast<std::size_t>(player)];
      REQUIRE(mine.size() == static_cast<std::size_t>(rounds));
      for (std::size_t round = 0; round < mine.size(); ++round) {
        if (mine[round] < 0) continue;
        // Whom I meet meets me: so the pairs of a round are disjoint.
        REQUIRE(mine[round] < players);
        sound = sound && mine[round] != player && opponents[static_cast<std::size_t>(mine[round])][round] == player;
        sound = sound && met.emplace(player, mine[round]).second;
      }
    }
    CHECK(sound);
    CHECK(met.size() == static_cast<std::size_t>(players) * static_cast<std::size_t>(std::max(players - 1, 0)));
  }
}

TEST_CASE("in every round one sits out of an odd number, and nobody of an even one") {
  for (int players = 2; players <= 65; ++players) {
    const auto opponents = all_tournaments(players);
    for (std::size_t round = 0; round < opponents.front().size(); ++round) {
      int idle = 0;
      for (const auto& mine : opponents) idle += mine[round] == -1 ? 1 : 0;
      CHECK(idle == players % 2);
    }
  }
}
