#include "collectives/forms/scatter.hpp"

#include "collectives/forms/log2.hpp"

namespace tombolo::forms {

Picoseconds flat_scatter(const Plogp& plogp, int ranks, Bytes bytes) {
  if (ranks == 1) return 0;
  return plus(times(ranks - 1, plogp.gap(bytes)), plogp.latency);
}

Picoseconds chain_scatter(const Plogp& plogp, int ranks, Bytes bytes) {
  Picoseconds time = times(ranks - 1, plogp.latency);
  for (int blocks = 1; blocks < ranks; ++blocks) time = plus(time, plogp.gap(blocks * bytes));
  return time;
}

Picoseconds binomial_scatter(const Plogp& plogp, int ranks, Bytes bytes) {
  const int rounds = log2_ceil(ranks);
  Picoseconds time = times(rounds, plogp.latency);
  for (int round = 0; round < rounds; ++round) time = plus(time, plogp.gap((Bytes{1} << round) * bytes));
  return time;
}

}  // namespace tombolo::forms
