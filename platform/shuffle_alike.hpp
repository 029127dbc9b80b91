#pragma once

#include <random>
#include <utility>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// A pseudo-random order of the ranks, the same with every library, which std::shuffle is not.
inline void shuffle_alike(std::vector<Rank>& ranks, std::mt19937& random) {
  for (std::size_t left = ranks.size(); left > 1; --left) std::swap(ranks[left - 1], ranks[random() % left]);
}

}  // namespace tombolo
