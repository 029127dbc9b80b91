#include <tombolo/platform/rounds.hpp>

namespace tombolo {

std::vector<int> tournament(int player, int players) {
  std::vector<int> opponents;
  if (players < 2) return opponents;
  const int even = players + players % 2;
  const int rounds = even - 1;
  const int fixed = even - 1;  // with an odd number, nobody
  for (int round = 0; round < rounds; ++round) {
    // Those whose numbers add up to the round, modulo the rounds, meet; who would meet itself meets the fixed one.
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
