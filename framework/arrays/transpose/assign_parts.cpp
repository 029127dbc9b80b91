#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include <tombolo/framework/arrays/redistribution.hpp>
#include <tombolo/framework/arrays/transpose/assign_parts.hpp>
#include <tombolo/framework/arrays/transpose/cheapest_owners.hpp>
#include <tombolo/platform/description/routes.hpp>

namespace tombolo {
namespace {

using Costs = std::vector<std::vector<std::int64_t>>;

constexpr std::int64_t worth = 64;  // the saving must be at least 1 / worth

/// Returns the slowness of messages for each pair of ranks: 16 for the fastest, 0 from a rank to itself.
std::vector<std::int64_t> slowness(const Platform* platform, int ranks) {
  constexpr std::int64_t fastest_link = 16;
  constexpr std::int64_t slowest_link = 65536;
  const auto count = static_cast<std::size_t>(ranks);
  std::vector<std::int64_t> slow(count * count, fastest_link);
  if (platform != nullptr) {
    const Routes routes(*platform);
    std::vector<BytesPerSecond> rates(slow.size());
    for (std::size_t pair = 0; pair < rates.size(); ++pair) {
      const auto from = static_cast<Rank>(pair / count);
      const auto to = static_cast<Rank>(pair % count);
      if (from != to) rates[pair] = routes.rate(from, to);
    }
    const BytesPerSecond fastest = *std::max_element(rates.begin(), rates.end());
    for (std::size_t pair = 0; pair < rates.size(); ++pair) {
      if (rates[pair] == 0) continue;
      const std::int64_t times = fastest / rates[pair];  // in two steps, since the product could overflow
      const std::int64_t rest = fastest % rates[pair] / std::max<BytesPerSecond>(rates[pair] / fastest_link, 1);
      slow[pair] =
          std::clamp(times < slowest_link ? fastest_link * times + rest : slowest_link, fastest_link, slowest_link);
    }
  }
  for (std::size_t rank = 0; rank < count; ++rank) slow[rank * count + rank] = 0;
  return slow;
}

/// Returns the cost of each part of B on each rank.
Costs costs_of(const Layout& a, const Layout& b, const Platform* platform) {
  const auto ranks = static_cast<std::size_t>(a.ranks());
  const auto slow = slowness(platform, a.ranks());
  const auto [rows, columns] = a.shape();
  const std::int64_t unit = rows * columns / (std::int64_t{1} << 40) + 1;  // keeps elements times slowness below 2^57
  Costs costs(ranks, std::vector<std::int64_t>(ranks, 0));
  for (std::size_t part = 0; part < ranks; ++part) {
    auto& row = costs[part];
    const Part of_b = b.part_at(static_cast<int>(part)).transposed();
    for (std::size_t from = 0; from < ranks; ++from) {
      const std::int64_t elements = overlap(a.part(static_cast<Rank>(from)), of_b).elements() / unit;
      for (std::size_t to = 0; elements > 0 && to < ranks; ++to) row[to] += elements * slow[from * ranks + to];
    }
    for (std::size_t to = 0; to < ranks; ++to) {
      const auto rank = static_cast<Rank>(to);
      const std::int64_t has = std::max(a.part(rank).elements(), b.part(rank).elements());
      if (of_b.elements() > has + has / 8) row[to] = forbidden;
    }
  }
  return costs;
}

std::int64_t sum_of(const Costs& costs, const std::vector<Rank>& owners) {
  std::int64_t sum = 0;
  for (std::size_t part = 0; part < owners.size(); ++part) sum += costs[part][static_cast<std::size_t>(owners[part])];
  return sum;
}

std::vector<Rank> owners_of(const Layout& layout) {
  std::vector<Rank> owners;
  for (int place = 0; place < layout.ranks(); ++place) owners.push_back(layout.owner(place));
  return owners;
}

bool allowed_and_less(std::int64_t cost, std::int64_t than) {
  return cost != forbidden && (than == forbidden || cost < than);
}

std::int64_t least_in(const std::vector<std::int64_t>& row) {
  std::int64_t least = forbidden;
  for (const std::int64_t cost : row) least = allowed_and_less(cost, least) ? cost : least;
  return least;
}

/// Returns the cost with every part on its cheapest rank, a lower bound.
std::int64_t least_of(const Costs& costs) {
  std::int64_t sum = 0;
  for (const auto& row : costs) sum += least_in(row);
  return sum;
}

/// Returns owners with this cost if a greedy pass finds them, as for a turned grid; else empty. Parts without elements
/// come last, since any rank suits them.
std::vector<Rank> first_choices(const Costs& costs, const Layout& b) {
  std::vector<std::size_t> parts(costs.size());
  std::iota(parts.begin(), parts.end(), std::size_t{0});
  std::stable_partition(parts.begin(), parts.end(),
                        [&](std::size_t part) { return b.part_at(static_cast<int>(part)).elements() > 0; });
  std::vector<Rank> owners(costs.size());
  std::vector<bool> taken(costs.size(), false);
  for (const std::size_t part : parts) {
    const auto& row = costs[part];
    const std::int64_t least = least_in(row);
    std::size_t rank = 0;
    while (rank < row.size() && (taken[rank] || row[rank] != least)) ++rank;
    if (rank == row.size()) return {};
    taken[rank] = true;
    owners[part] = static_cast<Rank>(rank);
  }
  return owners;
}

}  // namespace

Layout assign_parts(const Layout& a, const Layout& b, const Platform* platform) {
  const Redistribution moves(Distribution(a), Distribution(b), true);
  if (a.ranks() > most_assigned || !moves.operation()) return b;
  const Costs costs = costs_of(a, b, platform);
  const std::vector<Rank> before = owners_of(b);
  const std::int64_t cost = sum_of(costs, before);
  if (cost - least_of(costs) <= cost / worth) return b;
  std::vector<Rank> owners = first_choices(costs, b);
  if (owners.empty()) owners = a.ranks() > most_solved ? before : cheapest_owners(costs);
  return cost - sum_of(costs, owners) > cost / worth ? b.placed(std::move(owners)) : b;
}

}  // namespace tombolo
