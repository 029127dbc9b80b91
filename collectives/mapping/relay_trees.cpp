#include <algorithm>
#include <utility>

#include <tombolo/collectives/mapping/relay_group.hpp>
#include <tombolo/collectives/mapping/relay_trees.hpp>

namespace tombolo {

namespace {

// In whole numbers up to 16.
std::int64_t weight(std::int64_t rate, std::int64_t most) {
  constexpr std::int64_t steps = 16;
  return std::clamp<std::int64_t>(rate / std::max<std::int64_t>(most / steps, 1), 1, steps);
}

// How much of the vector the busiest of so many ranks sends to its own cluster, in millionths.
std::int64_t busiest(int ranks, int trees) {
  constexpr std::int64_t vector = 1'000'000;
  const auto up = [](int a, int b) { return std::int64_t{(a + b - 1) / b}; };
  // Each tree has as many inner places as there are ranks for every tree, one at least, which some serve several times.
  const int inner = std::max(ranks / trees, 1);
  const std::int64_t times = ranks < trees ? up(trees, ranks) : 1;
  return times * up(ranks - 1, inner) * vector / trees;
}

RankTree relay_tree(const RelayGroup& whole, int ranks, Rank root, int tree, Hubs hubs) {
  Served served(static_cast<std::size_t>(ranks));
  if (hubs == Hubs::none && !whole.children().empty()) {
    std::vector<Rank> tops;
    for (const RelayGroup& group : whole.children()) {
      tops.push_back(group.relay(tree));
      group.serve(tree, served);
    }
    return RankTree::of_children(tops, served);
  }
  const Rank first = whole.relay(tree);
  if (root != nobody && first != root) served[static_cast<std::size_t>(root)].push_back(first);
  const std::size_t groups = whole.children().size();
  const bool turns = hubs == Hubs::others && groups > 2;
  whole.serve(tree, served, turns ? 1 + static_cast<std::size_t>(tree) % (groups - 1) : 0);
  return RankTree::of_children({root != nobody ? root : first}, served);
}

}  // namespace

MappedTrees relay_trees(const std::string& name, const Landscape& landscape, Rank root, int trees, Hubs hubs,
                        const std::vector<std::int64_t>& rates) {
  const RelayGroup whole(landscape.whole(), root, trees);
  std::vector<MappedTrees::Weighted> all;
  std::int64_t fastest = 0;
  for (int tree = 0; tree < trees; ++tree) {
    std::int64_t slowest = 1;
    if (!rates.empty()) {
      std::vector<Rank> relays;
      whole.add_relays(tree, relays);
      slowest = never;
      for (const Rank relay : relays) slowest = std::min(slowest, rates[static_cast<std::size_t>(relay)]);
    }
    all.push_back({relay_tree(whole, landscape.ranks(), root, tree, hubs), slowest});
    fastest = std::max(fastest, slowest);
  }
  for (MappedTrees::Weighted& each : all) each.weight = weight(each.weight, fastest);
  return {name, std::move(all)};
}

int balanced_trees(const Landscape& landscape, Rank root, int least, int most) {
  std::int64_t lightest = never;
  int best = least;
  for (int trees = least; trees <= most; ++trees) {
    std::int64_t heaviest = 0;
    for (const Landscape::Group* cluster : landscape.clusters()) {
      const bool has_root = std::binary_search(cluster->ranks.begin(), cluster->ranks.end(), root);
      const int ranks = static_cast<int>(cluster->ranks.size()) - (has_root ? 1 : 0);
      if (ranks > 1) heaviest = std::max(heaviest, busiest(ranks, trees));
    }
    if (heaviest > lightest) continue;
    lightest = heaviest;
    best = trees;
  }
  return best;
}

}  // namespace tombolo
