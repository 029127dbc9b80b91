#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

#include <tombolo/platform/clustering/islands.hpp>

namespace tombolo::clustering {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<bool> membership(const Blocks& blocks, const std::vector<int>& set) {
  std::vector<bool> inside(static_cast<std::size_t>(blocks.size()));
  for (const int member : set) inside[static_cast<std::size_t>(member)] = true;
  return inside;
}

bool is_near(const Blocks& blocks, const std::vector<int>& set, double bound) {
  const std::vector<bool> inside = membership(blocks, set);
  double farthest_inside = -infinite;
  double nearest_outside = infinite;
  for (const int a : set) {
    for (int b = 0; b < blocks.size(); ++b) {
      if (blocks.count(a, b) == 0) continue;
      if (inside[static_cast<std::size_t>(b)])
        farthest_inside = std::max(farthest_inside, blocks.mean(a, b));
      else
        nearest_outside = std::min(nearest_outside, blocks.mean(a, b));
    }
    if (farthest_inside + std::log1p(bound) >= nearest_outside) return false;
  }
  return true;
}

struct Edge {
  double latency;
  int a;
  int b;
};

std::vector<Edge> edges_of(const Blocks& blocks) {
  std::vector<Edge> edges;
  for (int a = 0; a < blocks.size(); ++a) {
    for (int b = a + 1; b < blocks.size(); ++b) {
      if (blocks.count(a, b) > 0) edges.push_back({blocks.mean(a, b), a, b});
    }
  }
  std::ranges::sort(edges, {}, [](const Edge& edge) { return std::tuple(edge.latency, edge.a, edge.b); });
  return edges;
}

}  // namespace

// A set that is nearer inside than outside is a node of the single-linkage dendrogram, which Kruskal's algorithm
// walks through from the inside out.
std::vector<std::vector<int>> near_sets(const Blocks& blocks, double bound) {
  const int number = blocks.size();
  std::vector<std::vector<int>> sets(static_cast<std::size_t>(number));
  std::vector<std::size_t> set_of(sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    sets[i] = {static_cast<int>(i)};
    set_of[i] = i;
  }
  std::vector<std::vector<int>> found;
  for (const Edge& edge : edges_of(blocks)) {
    const std::size_t a = set_of[static_cast<std::size_t>(edge.a)];
    const std::size_t b = set_of[static_cast<std::size_t>(edge.b)];
    if (a == b) continue;
    std::vector<int> both;
    std::ranges::merge(sets[a], sets[b], std::back_inserter(both));
    for (const int member : sets[b]) set_of[static_cast<std::size_t>(member)] = a;
    sets[a] = std::move(both);
    sets[b].clear();
    if (static_cast<int>(sets[a].size()) < number && is_near(blocks, sets[a], bound)) found.push_back(sets[a]);
  }
  std::vector<int> all;
  for (int i = 0; i < number; ++i) all.push_back(i);
  found.push_back(std::move(all));
  return found;
}

bool stands_alone(const Blocks& blocks, int cluster, double bound) {
  return blocks.count(cluster, cluster) > 0 && is_near(blocks, {cluster}, bound);
}

bool agree_outside(const Blocks& blocks, const std::vector<int>& set, double noise, double bound) {
  const std::vector<bool> inside = membership(blocks, set);
  for (int k = 0; k < blocks.size(); ++k) {
    if (inside[static_cast<std::size_t>(k)]) continue;
    double least = infinite;
    double most = -infinite;
    for (const int a : set) {
      if (blocks.count(a, k) == 0) continue;
      const double spread = noise / std::sqrt(blocks.count(a, k));
      least = std::min(least, blocks.mean(a, k) + spread);
      most = std::max(most, blocks.mean(a, k) - spread);
    }
    if (most - least > std::log1p(bound)) return false;
  }
  return true;
}

}  // namespace tombolo::clustering
