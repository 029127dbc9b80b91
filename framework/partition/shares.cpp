#include <algorithm>
#include <cstddef>
#include <numeric>

#include <fmt/format.h>

#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

void check_items(std::int64_t n) {
  if (n < 0) throw Error(fmt::format("{} items to share out", n), "share out 0 items or more");
}

// n * speed takes 126 bits, the sum of all speeds 63 + log2(ranks).
UnsignedWide total_speed(std::span<const FlopsPerSecond> speeds) {
  UnsignedWide total = 0;
  for (std::size_t rank = 0; rank < speeds.size(); ++rank) {
    if (speeds[rank] < 0) {
      throw Error(fmt::format("rank {} has speed {}", rank, speeds[rank]), "give speeds of 0 or more flop/s");
    }
    total += static_cast<UnsignedWide>(speeds[rank]);
  }
  if (total == 0) {
    throw Error(fmt::format("none of {} ranks has a speed above 0", speeds.size()),
                "measure the platform again, or state at least one positive speed");
  }
  return total;
}

}  // namespace

std::vector<std::int64_t> proportional_shares(std::int64_t n, std::span<const FlopsPerSecond> speeds) {
  check_items(n);
  const UnsignedWide total = total_speed(speeds);
  std::vector<std::int64_t> shares(speeds.size());
  std::vector<UnsignedWide> lost(speeds.size());  // fraction lost by rounding down, in units of 1 / total
  std::int64_t left = n;
  for (std::size_t rank = 0; rank < speeds.size(); ++rank) {
    const UnsignedWide exact = static_cast<UnsignedWide>(n) * static_cast<UnsignedWide>(speeds[rank]);
    shares[rank] = static_cast<std::int64_t>(exact / total);
    lost[rank] = exact % total;
    left -= shares[rank];
  }
  // The fractions sum to `left` and each is below 1, so more than `left` ranks lost a fraction, or none did.
  std::vector<std::size_t> order(speeds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::nth_element(order.begin(), order.begin() + left, order.end(),
                   [&](std::size_t x, std::size_t y) { return lost[x] != lost[y] ? lost[x] > lost[y] : x < y; });
  std::for_each(order.begin(), order.begin() + left, [&](std::size_t rank) { ++shares[rank]; });
  return shares;
}

std::vector<std::int64_t> equal_shares(std::int64_t n, int ranks) {
  check_items(n);
  if (ranks < 1) throw Error(fmt::format("{} items to share out over {} ranks", n, ranks), "give at least one rank");
  std::vector<std::int64_t> shares(static_cast<std::size_t>(ranks), n / ranks);
  std::for_each(shares.begin(), shares.begin() + n % ranks, [](std::int64_t& share) { ++share; });
  return shares;
}

std::vector<std::int64_t> first_of(std::span<const std::int64_t> shares) {
  std::vector<std::int64_t> first(shares.size() + 1, 0);
  std::partial_sum(shares.begin(), shares.end(), first.begin() + 1);
  return first;
}

}  // namespace tombolo
