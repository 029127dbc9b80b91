#pragma once

#include <random>
#include <utility>
#include <vector>

#include <tombolo/units.hpp>

namespace tombolo {

/// Returns the opponent of `player` in each round of a round-robin tournament (circle method): every pair meets once,
/// and the pairs of a round are disjoint. players - 1 rounds for an even number of players, `players` rounds for an odd
/// one; -1 in a round without an opponent.
std::vector<int> tournament(int player, int players);

/// Shuffles pseudo-randomly, with the same result on every standard library, unlike std::shuffle.
template <class One>
void shuffle_alike(std::vector<One>& all, std::mt19937& random) {
  for (std::size_t left = all.size(); left > 1; --left) std::swap(all[left - 1], all[random() % left]);
}

}  // namespace tombolo
