#include <algorithm>
#include <optional>
#include <utility>

#include <tombolo/collectives/algorithms/common/tree_packing.hpp>
#include <tombolo/collectives/mapping/compose.hpp>
#include <tombolo/collectives/mapping/relay_trees.hpp>

namespace tombolo {

namespace {

/// The relays of a group in each striped tree. A tree's relay receives for the group and forwards to all its ranks;
/// relays differ from tree to tree. In a group of groups the relay lies in a different child from tree to tree, in
/// proportion to the sizes of the children, or in the root's child, and forwards to one relay of each other child. In a
/// cluster the trees form a packing (tree_packing.hpp), in which all ranks are inner nodes of about equally many trees.
class RelayGroup {
 public:
  /// `root` is a relay only of a cluster without other ranks. `trees` is the number of all trees.
  RelayGroup(const Hierarchy::Group& group, Rank root, int trees);

  /// Returns the relay of the group.
  Rank relay(int tree) const;
  /// Adds the tree below the relay to `served`. A `detour` other than 0 makes the child that many positions after the
  /// relay's own the hub, which serves the others.
  void serve(int tree, Served& served, std::size_t detour = 0) const;
  /// Appends the relays of all clusters inside.
  void add_relays(int tree, std::vector<Rank>& relays) const;

  const std::vector<RelayGroup>& children() const { return children_; }

 private:
  std::size_t entry(int tree) const;

  Rank root_;
  int trees_;
  int size_;
  bool has_root_;
  std::vector<RelayGroup> children_;
  std::vector<Rank> members_;           // of a cluster, without the root
  std::optional<TreePacking> packing_;  // over the members; absent if there are none
};

RelayGroup::RelayGroup(const Hierarchy::Group& group, Rank root, int trees)
    : root_(root),
      trees_(trees),
      size_(static_cast<int>(group.ranks.size())),
      has_root_(std::ranges::binary_search(group.ranks, root)) {
  if (group.kind == Level::Kind::group) {
    for (const Hierarchy::Group& child : group.children) children_.emplace_back(child, root, trees);
    return;
  }
  std::ranges::remove_copy(group.ranks, std::back_inserter(members_), root);
  if (members_.empty()) return;
  const auto ranks = static_cast<int>(members_.size());
  packing_.emplace(Request::barrier(ranks), Parameters{}, TreePacking::Root::none, trees);
}

std::size_t RelayGroup::entry(int tree) const {
  int before = static_cast<int>(std::int64_t{tree} * size_ / trees_ % size_);
  for (std::size_t child = 0; child < children_.size(); ++child) {
    if (has_root_ ? children_[child].has_root_ : before < children_[child].size_) return child;
    before -= children_[child].size_;
  }
  return 0;
}

Rank RelayGroup::relay(int tree) const {
  if (!children_.empty()) return children_[entry(tree)].relay(tree);
  return packing_ ? members_[static_cast<std::size_t>(packing_->top(tree % packing_->trees()))] : root_;
}

void RelayGroup::serve(int tree, Served& served, std::size_t detour) const {
  if (!children_.empty()) {
    const std::size_t own = entry(tree);
    const std::size_t hub = (own + detour) % children_.size();
    const auto pass = [&](std::size_t from, std::size_t to) {
      served[static_cast<std::size_t>(children_[from].relay(tree))].push_back(children_[to].relay(tree));
    };
    if (hub != own) pass(own, hub);
    for (std::size_t child = 0; child < children_.size(); ++child) {
      if (child != own && child != hub) pass(hub, child);
    }
    for (const RelayGroup& child : children_) child.serve(tree, served);
  }
  for (std::size_t member = 0; member < members_.size(); ++member) {
    const Role role = packing_->role(tree % packing_->trees(), static_cast<Rank>(member), Direction::down);
    for (const Rank child : role.children) {
      served[static_cast<std::size_t>(members_[member])].push_back(members_[static_cast<std::size_t>(child)]);
    }
  }
}

void RelayGroup::add_relays(int tree, std::vector<Rank>& relays) const {
  if (children_.empty()) relays.push_back(relay(tree));
  for (const RelayGroup& child : children_) child.add_relays(tree, relays);
}

// Scales a rate to an integer weight from 1 to 16.
std::int64_t weight(std::int64_t rate, std::int64_t most) {
  constexpr std::int64_t steps = 16;
  return std::clamp<std::int64_t>(rate / std::max<std::int64_t>(most / steps, 1), 1, steps);
}

// Returns the part of the vector, in millionths, that the busiest of `ranks` ranks sends to its own cluster.
std::int64_t busiest(int ranks, int trees) {
  constexpr std::int64_t vector = 1'000'000;
  const auto up = [](int a, int b) { return std::int64_t{(a + b - 1) / b}; };
  // A tree has ranks / trees inner nodes, at least one; with more trees than ranks, a rank is inner node of several.
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

MappedTrees relay_trees(const std::string& name, const Hierarchy& hierarchy, Rank root, int trees, Hubs hubs,
                        const std::vector<std::int64_t>& rates) {
  const RelayGroup whole(hierarchy.whole(), root, trees);
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
    all.push_back({relay_tree(whole, hierarchy.ranks(), root, tree, hubs), slowest});
    fastest = std::max(fastest, slowest);
  }
  for (MappedTrees::Weighted& each : all) each.weight = weight(each.weight, fastest);
  return {name, std::move(all)};
}

namespace {

// Trees over the clusters, which share out the links, uplinks, lines and cards between them: each tree loads those that
// it takes for as long as they need for its share.
class ClusterTrees {
 public:
  // `root`: the cluster with the root, or -1; then data go both ways over each link. `bytes`: of a tree.
  ClusterTrees(const ClusterLinks& links, int root, Bytes bytes)
      : links_(links), size_(static_cast<std::size_t>(links.size())), root_(root), loads_(links.rates().size(), 0) {
    for (const BytesPerSecond rate : links.rates()) times_.push_back(transfer_time(bytes, rate));
  }

  struct ClusterTree {
    std::size_t root = 0;
    std::vector<std::vector<std::size_t>> children;
  };

  // The tree of Prim's algorithm: of all links from a reached to another cluster, the one over which the share arrives
  // first, after those of the trees so far.
  ClusterTree next() {
    std::vector<std::vector<std::size_t>> beside(size_);
    std::vector<bool> reached(size_, false);
    const std::size_t start = root_ < 0 ? 0 : static_cast<std::size_t>(root_);
    reached[start] = true;
    for (std::size_t more = 1; more < size_; ++more) {
      Picoseconds least = never;
      std::size_t from = start;
      std::size_t to = start;
      for (std::size_t a = 0; a < size_; ++a) {
        for (std::size_t b = 0; b < size_; ++b) {
          if (!reached[a] || reached[b]) continue;
          const Picoseconds arrives = plus(load(a, b), way(a, b).latency);
          if (to != start && arrives >= least) continue;
          least = arrives;
          from = a;
          to = b;
        }
      }
      reached[to] = true;
      beside[from].push_back(to);
      beside[to].push_back(from);
      take(from, to);
    }
    return rooted(root_ < 0 ? center(beside) : start, beside);
  }

 private:
  const ClusterLinks::Way& way(std::size_t from, std::size_t to) const {
    return links_.ways(static_cast<int>(from), static_cast<int>(to)).front();
  }
  // Calls `visit` for all that one tree more loads between the clusters.
  void for_each_use(std::size_t from, std::size_t to, const auto& visit) const {
    for (const int use : way(from, to).uses) visit(static_cast<std::size_t>(use));
    if (root_ >= 0) return;
    for (const int use : way(to, from).uses) visit(static_cast<std::size_t>(use));
  }
  // Of the busiest resource, with one tree more.
  Picoseconds load(std::size_t from, std::size_t to) const {
    Picoseconds most = 0;
    for_each_use(from, to, [&](std::size_t use) { most = std::max(most, plus(loads_[use], times_[use])); });
    return most;
  }
  void take(std::size_t from, std::size_t to) {
    for_each_use(from, to, [&](std::size_t use) { loads_[use] = plus(loads_[use], times_[use]); });
  }

  ClusterTree rooted(std::size_t root, const std::vector<std::vector<std::size_t>>& beside) const {
    ClusterTree tree{root, std::vector<std::vector<std::size_t>>(size_)};
    std::vector<std::pair<std::size_t, std::size_t>> next{{root, root}};
    while (!next.empty()) {
      const auto [at, parent] = next.back();
      next.pop_back();
      for (const std::size_t other : beside[at]) {
        if (other == parent) continue;
        tree.children[at].push_back(other);
        next.emplace_back(other, at);
      }
    }
    return tree;
  }

  // The root from which the farthest cluster is nearest.
  std::size_t center(const std::vector<std::vector<std::size_t>>& beside) const {
    std::size_t best = 0;
    Picoseconds least = never;
    for (std::size_t root = 0; root < size_; ++root) {
      Picoseconds farthest = 0;
      std::vector<std::pair<std::size_t, Picoseconds>> next{{root, 0}};
      const ClusterTree tree = rooted(root, beside);
      while (!next.empty()) {
        const auto [at, before] = next.back();
        next.pop_back();
        farthest = std::max(farthest, before);
        for (const std::size_t child : tree.children[at])
          next.emplace_back(child, plus(before, way(at, child).latency));
      }
      if (farthest >= least) continue;
      least = farthest;
      best = root;
    }
    return best;
  }

  const ClusterLinks& links_;
  std::size_t size_;
  int root_;
  std::vector<Picoseconds> times_;  // by resource, that a tree takes
  std::vector<Picoseconds> loads_;  // by resource, of the trees so far
};

}  // namespace

MappedTrees link_sharing_trees(const std::string& name, const Hierarchy& hierarchy, const ClusterLinks& links,
                               Rank root, int trees, Bytes bytes) {
  const RelayGroup whole(hierarchy.whole(), root, trees);
  // Clusters in the order of `links`.
  std::vector<const RelayGroup*> clusters(whole.children().size());
  for (std::size_t child = 0; child < clusters.size(); ++child) {
    const Rank first = hierarchy.whole().children[child].ranks.front();
    clusters[static_cast<std::size_t>(links.cluster_of(first))] = &whole.children()[child];
  }
  ClusterTrees between(links, root == nobody ? -1 : links.cluster_of(root), std::max<Bytes>(bytes / trees, 1));
  std::vector<MappedTrees::Weighted> all;
  for (int tree = 0; tree < trees; ++tree) {
    const ClusterTrees::ClusterTree shape = between.next();
    Served served(static_cast<std::size_t>(hierarchy.ranks()));
    const auto relay = [&](std::size_t cluster) { return clusters[cluster]->relay(tree); };
    const Rank first = relay(shape.root);
    if (root != nobody && first != root) served[static_cast<std::size_t>(root)].push_back(first);
    for (std::size_t cluster = 0; cluster < clusters.size(); ++cluster) {
      for (const std::size_t child : shape.children[cluster]) {
        served[static_cast<std::size_t>(relay(cluster))].push_back(relay(child));
      }
      clusters[cluster]->serve(tree, served);
    }
    all.push_back({RankTree::of_children({root != nobody ? root : first}, served)});
  }
  return {name, std::move(all)};
}

int balanced_trees(const Hierarchy& hierarchy, Rank root, int least, int most) {
  std::int64_t lightest = never;
  int best = least;
  for (int trees = least; trees <= most; ++trees) {
    std::int64_t heaviest = 0;
    for (const Hierarchy::Group* cluster : hierarchy.clusters()) {
      const bool has_root = std::ranges::binary_search(cluster->ranks, root);
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
