#include "collectives/forms/hockney_tree.hpp"

#include <algorithm>
#include <bit>

#include <tombolo/models/fitting/arithmetic.hpp>

#include "collectives/forms/log2.hpp"

namespace tombolo::forms {

Picoseconds binomial_scatter(const PairTime& time, std::span<const Rank> order, Bytes bytes) {
  if (order.size() < 2) return 0;
  const std::size_t kept = std::bit_ceil(order.size()) / 2;
  const auto keeps = order.first(kept);
  const auto given = order.subspan(kept);
  const Picoseconds below = std::max(binomial_scatter(time, keeps, bytes), binomial_scatter(time, given, bytes));
  return plus(time(order.front(), given.front(), std::ssize(given) * bytes), below);
}

Picoseconds binomial_gather(const PairTime& time, std::span<const Rank> order, Bytes bytes) {
  return binomial_scatter([&](Rank to, Rank from, Bytes all) { return time(from, to, all); }, order, bytes);
}

Picoseconds binomial_scatter(Picoseconds latency, BytesPerSecond rate, int ranks, Bytes bytes) {
  return plus(times(log2_ceil(ranks), latency), transfer_time((ranks - 1) * bytes, rate));
}

}  // namespace tombolo::forms
