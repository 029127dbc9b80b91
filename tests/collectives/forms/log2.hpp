#pragma once

namespace tombolo::forms {

/// Rounds of a binomial tree: the logarithm to base 2, rounded down or up. ranks > 0.
constexpr int log2_floor(int ranks) {
  int log = 0;
  while (ranks >> (log + 1) > 0) ++log;
  return log;
}
constexpr int log2_ceil(int ranks) {
  return ranks == 1 ? 0 : log2_floor(ranks - 1) + 1;
}

}  // namespace tombolo::forms
