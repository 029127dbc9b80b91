#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include <tombolo/platform/clustering/nearest.hpp>

namespace tombolo::clustering {

namespace {

struct Pair {
  double distance = std::numeric_limits<double>::infinity();
  std::size_t a = 0;
  std::size_t b = 0;
};

// For every group the pair with its nearest, the least distance first.
std::vector<Pair> nearest_pairs(std::size_t groups, const Distance& distance) {
  std::vector<Pair> nearest(groups);
  for (std::size_t a = 0; a < groups; ++a) {
    for (std::size_t b = a + 1; b < groups; ++b) {
      const double enough = std::max(nearest[a].distance, nearest[b].distance);
      const Pair pair{distance(static_cast<int>(a), static_cast<int>(b), enough), a, b};
      if (pair.distance < nearest[a].distance) nearest[a] = pair;
      if (pair.distance < nearest[b].distance) nearest[b] = pair;
    }
  }
  std::erase_if(nearest, [](const Pair& pair) { return std::isinf(pair.distance); });
  std::ranges::sort(nearest, {}, [](const Pair& pair) { return std::tuple(pair.distance, pair.a, pair.b); });
  return nearest;
}

}  // namespace

bool join_nearest(Partition& groups, const Distance& distance) {
  constexpr double nothing = 1e-9;  // what rounding leaves of a distance of zero
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  const std::vector<Pair> pairs = nearest_pairs(groups.size(), distance);
  std::vector<std::size_t> into(groups.size(), none);
  for (const Pair& pair : pairs) {
    // Those at no distance are joined all at once: they would be one by one.
    const bool same = std::abs(pair.distance) < nothing;
    if (same && into[pair.a] == none) into[pair.a] = pair.a;
    if (same && into[pair.b] == none) into[pair.b] = into[pair.a];
    if (into[pair.a] != none || into[pair.b] != none) continue;
    into[pair.a] = into[pair.b] = pair.a;
  }
  Partition result(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<int>& target = result[into[g] == none ? g : into[g]];
    target.insert(target.end(), groups[g].begin(), groups[g].end());
  }
  std::erase_if(result, [](const std::vector<int>& group) { return group.empty(); });
  for (std::vector<int>& group : result) std::ranges::sort(group);
  groups = std::move(result);
  return !pairs.empty();
}

}  // namespace tombolo::clustering
