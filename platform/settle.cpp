#include <algorithm>
#include <cmath>

#include <tombolo/platform/agreement.hpp>
#include <tombolo/platform/blocks.hpp>

namespace tombolo {

namespace {

// What one host has measured to every group.
struct View {
  std::vector<double> sums;
  std::vector<int> counts;
};

View view_of(const Region& region, int host, const std::vector<int>& group, int groups) {
  View view{std::vector<double>(static_cast<std::size_t>(groups)), std::vector<int>(static_cast<std::size_t>(groups))};
  for (int other = 0; other < region.size(); ++other) {
    if (!region.measured(host, other)) continue;
    const auto k = static_cast<std::size_t>(group[static_cast<std::size_t>(other)]);
    view.sums[k] += region.log(host, other);
    ++view.counts[k];
  }
  return view;
}

// How unlike a group's mean latencies a host's are: the sum of squares that it would add to the group. Infinite
// where the host has latencies to compare that the group has not.
double misfit(const View& view, const Blocks& blocks, int group) {
  double sum = 0;
  for (int k = 0; k < blocks.size(); ++k) {
    const int count = view.counts[static_cast<std::size_t>(k)];
    if (count == 0) continue;
    if (blocks.count(group, k) == 0) return std::numeric_limits<double>::infinity();
    sum += count * std::pow(view.sums[static_cast<std::size_t>(k)] / count - blocks.mean(group, k), 2);
  }
  return sum;
}

bool settle_once(const Region& region, Partition& groups) {
  const Blocks blocks(region, groups);
  const int number = blocks.size();
  const std::vector<int> group = group_of(region.size(), groups);
  std::vector<int> better = group;
  bool moved = false;
  for (int host = 0; host < region.size(); ++host) {
    const int own = group[static_cast<std::size_t>(host)];
    if (groups[static_cast<std::size_t>(own)].size() < 3) continue;  // the mean is its own, or one other's
    const View view = view_of(region, host, group, number);
    // Its own latencies are part of its own group's means, so only what is clearly better counts.
    double least = 0.5 * misfit(view, blocks, own);
    for (int g = 0; g < number; ++g) {
      if (g == own || groups[static_cast<std::size_t>(g)].size() < 2) continue;
      const double found = misfit(view, blocks, g);
      if (found >= least) continue;
      least = found;
      better[static_cast<std::size_t>(host)] = g;
      moved = true;
    }
  }
  Partition result(groups.size());
  for (int host = 0; host < region.size(); ++host) {
    result[static_cast<std::size_t>(better[static_cast<std::size_t>(host)])].push_back(host);
  }
  std::erase_if(result, [](const std::vector<int>& one) { return one.empty(); });
  groups = std::move(result);
  return moved;
}

}  // namespace

Partition settle_hosts(const Region& region, Partition groups) {
  constexpr int most_rounds = 4;  // one is enough nearly always; it must not go round in circles
  for (int round = 0; round < most_rounds && settle_once(region, groups); ++round) {
  }
  return groups;
}

}  // namespace tombolo
