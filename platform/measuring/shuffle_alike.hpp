#pragma once

#include <random>
#include <utility>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Shuffles pseudo-randomly, with the same result on every standard library, unlike std::shuffle.
template <class One>
void shuffle_alike(std::vector<One>& all, std::mt19937& random) {
  for (std::size_t left = all.size(); left > 1; --left) std::swap(all[left - 1], all[random() % left]);
}

}  // namespace tombolo
