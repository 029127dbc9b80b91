#include <tombolo/platform/measuring/rounds.hpp>

namespace tombolo {

std::vector<int> tournament(int player, int players) {
  std::vector<int> opponents;
  if (players < 2) return opponents;
  const int even = players + players % 2;
  const int rounds = even - 1;
  const int fixed = even - 1;  // no player if the number is odd
  for (int round = 0; round < rounds; ++round) {
    // Two players meet if the sum of their numbers is the round, modulo the number of rounds; a player without such a
    // partner meets the fixed player.
    int opponent = 0;
    if (player == fixed) {
      opponent = round % 2 == 0 ? round / 2 : (round + rounds) / 2;
    } else {
      opponent = (round - player + rounds) % rounds;
      if (opponent == player) opponent = fixed;
    }
    opponents.push_back(opponent < players ? opponent : -1);
  }
  return opponents;
}

}  // namespace tombolo
