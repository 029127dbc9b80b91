#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/topology/rank_tree.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr auto remedy = "write trees in preorder: each rank once, behind its parent and the subtrees before it";

// The virtual rank of each rank.
std::vector<int> inverse(const std::vector<Rank>& order) {
  std::vector<int> places(order.size(), -1);
  for (std::size_t place = 0; place < order.size(); ++place) {
    const Rank rank = order[place];
    if (rank < 0 || static_cast<std::size_t>(rank) >= order.size() || places[static_cast<std::size_t>(rank)] >= 0) {
      throw Error(fmt::format("rank {} at place {} of a tree of {} ranks", rank, place, order.size()), remedy);
    }
    places[static_cast<std::size_t>(rank)] = static_cast<int>(place);
  }
  return places;
}

void check_preorder(const std::vector<int>& parents) {
  for (std::size_t place = 0; place < parents.size(); ++place) {
    // Possible parents: the previous virtual rank and its ancestors. Each is passed once on the way up, then left for
    // good.
    const int parent = parents[place];
    int above = static_cast<int>(place) - 1;
    while (above > parent && above >= 0) above = parents[static_cast<std::size_t>(above)];
    if (above != parent) throw Error(fmt::format("parent {} of place {}", parent, place), remedy);
  }
}

}  // namespace

RankTree::RankTree(std::vector<Rank> order, std::vector<int> parents)
    : order_(std::move(order)), parents_(std::move(parents)), places_(inverse(order_)), sizes_(order_.size(), 1) {
  if (order_.size() != parents_.size()) {
    throw Error(fmt::format("{} parents of {} places in a tree", parents_.size(), order_.size()), remedy);
  }
  check_preorder(parents_);
  for (std::size_t place = parents_.size(); place-- > 0;) {
    if (parents_[place] >= 0) sizes_[static_cast<std::size_t>(parents_[place])] += sizes_[place];
  }
}

RankTree RankTree::of_children(const std::vector<Rank>& roots, const std::vector<std::vector<Rank>>& children) {
  std::vector<Rank> order;
  std::vector<int> parents;
  std::vector<std::pair<Rank, int>> next;  // stack of ranks without a virtual rank yet, and their parents
  const auto push = [&next](const std::vector<Rank>& ranks, int parent) {
    for (auto rank = ranks.rbegin(); rank != ranks.rend(); ++rank) next.emplace_back(*rank, parent);
  };
  push(roots, -1);
  while (!next.empty() && order.size() <= children.size()) {  // a longer order has a duplicate
    const auto [rank, parent] = next.back();
    next.pop_back();
    push(children.at(static_cast<std::size_t>(rank)), static_cast<int>(order.size()));
    order.push_back(rank);
    parents.push_back(parent);
  }
  if (order.size() != children.size()) {
    throw Error(fmt::format("a tree that reaches {} of {} ranks", order.size(), children.size()), remedy);
  }
  return {std::move(order), std::move(parents)};
}

RankTree RankTree::of_shape(const TreeTopology& shape, const std::vector<Rank>& ranks) {
  std::vector<std::vector<Rank>> children(ranks.size());
  std::vector<Subtree> next{{0, static_cast<int>(ranks.size())}};
  const auto rank = [&ranks](int place) { return ranks[static_cast<std::size_t>(place)]; };
  while (!next.empty()) {
    const Subtree whole = next.back();
    next.pop_back();
    for (const Subtree& child : shape.children(whole)) {
      children.at(static_cast<std::size_t>(rank(whole.top))).push_back(rank(child.top));
      next.push_back(child);
    }
  }
  return of_children({ranks.front()}, children);
}

std::vector<Rank> RankTree::roots() const {
  std::vector<Rank> roots;
  for (int place = 0; place < ranks(); place = subtree(place).end()) {
    roots.push_back(order_[static_cast<std::size_t>(place)]);
  }
  return roots;
}

int RankTree::root_index(Rank rank) const {
  const std::vector<Rank> all = roots();
  return static_cast<int>(std::ranges::find(all, rank) - all.begin());
}

std::vector<std::vector<Rank>> RankTree::ranks_by_root() const {
  std::vector<std::vector<Rank>> ranks;
  for (std::size_t place = 0; place < order_.size(); ++place) {
    if (parents_[place] < 0) ranks.emplace_back();
    ranks.back().push_back(order_[place]);
  }
  return ranks;
}

Tree::Node RankTree::node(int place) const {
  Tree::Node node{parents_[static_cast<std::size_t>(place)], subtree(place), {}};
  for (int child = place + 1; child < node.subtree.end(); child = subtree(child).end()) {
    node.children.push_back(subtree(child));
  }
  return node;
}

Role RankTree::role(Rank rank, Direction direction) const {
  const Tree::Node at = node(place(rank));
  Role role;
  if (at.parent >= 0) role.parent = order_[static_cast<std::size_t>(at.parent)];
  for (const Subtree& child : at.children) role.children.push_back(order_[static_cast<std::size_t>(child.top)]);
  if (direction == Direction::up) std::ranges::reverse(role.children);
  return role;
}

}  // namespace tombolo
