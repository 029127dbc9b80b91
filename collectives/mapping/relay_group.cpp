#include <algorithm>

#include <tombolo/collectives/mapping/relay_group.hpp>

namespace tombolo {

RelayGroup::RelayGroup(const Landscape::Group& group, Rank root, int trees)
    : root_(root),
      trees_(trees),
      size_(static_cast<int>(group.ranks.size())),
      has_root_(std::binary_search(group.ranks.begin(), group.ranks.end(), root)) {
  if (group.kind == Level::Kind::group) {
    for (const Landscape::Group& child : group.children) children_.emplace_back(child, root, trees);
    return;
  }
  std::remove_copy(group.ranks.begin(), group.ranks.end(), std::back_inserter(members_), root);
  if (members_.empty()) return;
  const auto ranks = static_cast<int>(members_.size());
  forest_.emplace(Request::barrier(ranks), Parameters{}, Forest::Root::none, trees);
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
  return forest_ ? members_[static_cast<std::size_t>(forest_->top(tree % forest_->trees()))] : root_;
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
    const Role role = forest_->role(tree % forest_->trees(), static_cast<Rank>(member), Direction::down);
    for (const Rank child : role.children) {
      served[static_cast<std::size_t>(members_[member])].push_back(members_[static_cast<std::size_t>(child)]);
    }
  }
}

void RelayGroup::add_relays(int tree, std::vector<Rank>& relays) const {
  if (children_.empty()) relays.push_back(relay(tree));
  for (const RelayGroup& child : children_) child.add_relays(tree, relays);
}

}  // namespace tombolo
