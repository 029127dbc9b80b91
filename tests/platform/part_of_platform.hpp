#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/platform/description/members.hpp>
#include <tombolo/platform/description/part_of_platform.hpp>

namespace tombolo::test {

/// So many of the numbers below `ranks`, in any order.
template <class Random>
std::vector<Rank> some_ranks(int ranks, int count, Random& random) {
  std::vector<Rank> some = all_in_order(ranks);
  std::shuffle(some.begin(), some.end(), random);
  some.resize(static_cast<std::size_t>(count));
  return some;
}

}  // namespace tombolo::test
