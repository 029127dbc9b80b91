#include <algorithm>
#include <tuple>

#include <tombolo/collectives/algorithms/common/tree_packing.hpp>

namespace tombolo {

namespace {

int scaled(int value, int by, int over) {
  return static_cast<int>(std::int64_t{value} * by / over);
}

}  // namespace

TreePacking::TreePacking(const Request& request, const Parameters& parameters, Root root, int trees)
    : places_(request.ranks, request.root, parameters.order),
      above_(root == Root::above ? 1 : 0),
      size_(request.ranks - above_),
      trees_(std::clamp(trees, std::min(1, size_), size_)),
      inner_(size_ > 1 ? std::min(size_ / trees_, size_ - 1) : 0) {}

Rank TreePacking::rank_at(int tree, int slot) const {
  const int at = slot + scaled(tree, size_, trees_);
  return places_.rank(above_ + (at < size_ ? at : at - size_));
}

int TreePacking::slot_of(int tree, Rank rank) const {
  const int slot = places_.place(rank) - above_ - scaled(tree, size_, trees_);
  return slot < 0 ? slot + size_ : slot;
}

Rank TreePacking::top(int tree) const {
  return rank_at(tree, 0);
}

Role TreePacking::role(int tree, Rank rank, Direction direction) const {
  if (places_.place(rank) < above_) return {nobody, {top(tree)}};
  Role role;
  const int slot = slot_of(tree, rank);
  const int others = size_ - 1;
  if (slot > 0) {
    role.parent = rank_at(tree, scaled(slot - 1, inner_, others));
  } else if (above_ > 0) {
    role.parent = places_.rank(0);
  }
  if (slot >= inner_) return role;
  // The other ranks are divided evenly among the inner nodes, in order.
  const auto first = [&](int inner) {
    return scaled(inner, others, inner_) + (inner * std::int64_t{others} % inner_ > 0);
  };
  for (int child = first(slot); child < first(slot + 1); ++child) role.children.push_back(rank_at(tree, child + 1));
  // Below a root, single inner nodes get their segments one after the other. Each serves the ranks before it first:
  // with the ranks after it first, all inner nodes would send to the same rank at the same time.
  if (direction == Direction::up || above_ > 0) std::ranges::reverse(role.children);
  return role;
}

TreeRoutes routes_over_packing(const TreePacking& packing, const Request& request, const Parameters& parameters,
                               Rank rank, Direction direction) {
  const auto trees = static_cast<std::size_t>(packing.trees());
  std::vector<std::int64_t> weights(trees, 1);
  if (packing.are_relays() && !parameters.rates.empty()) {
    for (std::size_t tree = 0; tree < trees; ++tree) {
      weights[tree] = parameters.rates[static_cast<std::size_t>(packing.top(static_cast<int>(tree)))];
    }
  }
  std::vector<Share> shares = shared_out(request.count, request.element_bytes, parameters.segment_bytes, weights);
  if (packing.above_ == 0 && packing.are_relays()) {
    // Distance of a segment along the ring; in each turn all ranks begin with the nearest.
    const int own = packing.places_.place(rank);
    const auto distance = [&](const Share& share) {
      const int by = direction == Direction::up ? share.tree - own : own - share.tree;
      return by < 0 ? by + packing.size_ : by;
    };
    std::ranges::sort(shares, [&](const Share& a, const Share& b) {
      return std::tuple(a.turn, distance(a)) < std::tuple(b.turn, distance(b));
    });
  }
  return routes_of(shares, packing.trees(), [&](int tree) { return packing.role(tree, rank, direction); });
}

}  // namespace tombolo
