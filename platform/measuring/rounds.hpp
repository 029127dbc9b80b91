#pragma once

#include <vector>

namespace tombolo {

/// Returns the opponent of `player` in each round of a round-robin tournament (circle method): every pair meets once,
/// and the pairs of a round are disjoint. players - 1 rounds for an even number of players, `players` rounds for an odd
/// one; -1 in a round without an opponent.
std::vector<int> tournament(int player, int players);

}  // namespace tombolo
