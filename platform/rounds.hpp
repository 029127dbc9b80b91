#pragma once

#include <vector>

namespace tombolo {

/// With whom `player` of so many meets in each round of a tournament in which everybody meets everybody once and all
/// pairs of a round are disjoint: players - 1 rounds, one more if players are odd; -1 where it sits out (circle
/// method).
std::vector<int> tournament(int player, int players);

}  // namespace tombolo
