#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include <tombolo/collectives/mapping/compose.hpp>
#include <tombolo/collectives/mapping/rotated_trees.hpp>

namespace tombolo {

namespace {

using Group = Hierarchy::Group;

// The ranks of a group that begin to serve it, in the order in which they get the message. Empty for a group of the
// root alone.
using Entries = std::vector<Rank>;

class Rotation {
 public:
  Rotation(const Hierarchy& hierarchy, Rank root, const RotatedTrees& how)
      : root_(root), how_(how), whole_(hierarchy.whole()), stride_(stride_of(how.trees)) {}

  RankTree tree(int index) {
    index_ = index;
    // Trees of consecutive shares have hubs and relays far from each other.
    turn_ = std::int64_t{index} * stride_ % how_.trees;
    served_.assign(whole_.ranks.size(), {});
    const Entries all = serve(whole_);
    Rank top = all.empty() ? root_ : all.front();
    if (root_ != nobody && top != root_) {
      served_[static_cast<std::size_t>(root_)].push_back(top);
      top = root_;
    }
    return RankTree::of_children({top}, served_);
  }

 private:
  // About the golden section of the number of trees, without a common divisor.
  static std::int64_t stride_of(int trees) {
    std::int64_t stride = std::max<std::int64_t>(1, std::int64_t{trees} * 618 / 1000);
    while (std::gcd(stride, std::int64_t{trees}) > 1) ++stride;
    return stride;
  }

  bool has_root(const Group& group) const { return root_ != nobody && std::ranges::binary_search(group.ranks, root_); }

  // Serves a group but the root, and returns its entries.
  Entries serve(const Group& group) {
    return group.kind == Level::Kind::group ? serve_children(group) : serve_cluster(group);
  }

  Entries serve_children(const Group& group) {
    std::vector<Entries> entries;
    for (const Group& child : group.children) entries.push_back(serve(child));
    const std::size_t hub = hub_of(group);
    const std::size_t several = std::min(entries[hub].size(), static_cast<std::size_t>(how_.senders));
    std::vector<std::vector<Rank>> far(several);
    for (std::size_t step = 1; step < entries.size(); ++step) {
      const Entries& to = entries[(hub + step) % entries.size()];
      if (!to.empty()) far[(step - 1) % several].push_back(to.front());
    }
    for (std::size_t i = 0; i < several; ++i) send_first(entries[hub][i], far[i]);
    return entries[hub];
  }

  // Messages to other groups precede those within a group.
  void send_first(Rank from, const std::vector<Rank>& to) {
    std::vector<Rank>& children = served_[static_cast<std::size_t>(from)];
    children.insert(children.begin(), to.begin(), to.end());
  }

  // The child that serves the others: that of the root if asked for, else one without it, in proportion to their ranks.
  std::size_t hub_of(const Group& group) const {
    const auto home = std::ranges::find_if(group.children, [this](const Group& child) { return has_root(child); });
    if (how_.from_root && home != group.children.end() && home->ranks.size() > 1)
      return static_cast<std::size_t>(home - group.children.begin());
    const auto counted = [this](const Group& child) {
      return has_root(child) ? std::int64_t{0} : static_cast<std::int64_t>(child.ranks.size());
    };
    std::int64_t all = 0;
    for (const Group& child : group.children) all += counted(child);
    std::int64_t before = turn_ * all / how_.trees;
    std::size_t hub = 0;
    for (; before >= counted(group.children[hub]); ++hub) before -= counted(group.children[hub]);
    return hub;
  }

  Entries serve_cluster(const Group& group) {
    Entries members;
    std::ranges::remove_copy(group.ranks, std::back_inserter(members), root_);
    if (members.empty()) return members;
    const auto size = static_cast<std::int64_t>(members.size());
    const std::int64_t by = how_.trees < size ? index_ * size / how_.trees : index_ % size;
    std::ranges::rotate(members, members.begin() + by);
    Entries reached{members.front()};
    const std::vector<std::vector<int>>& places = children_of_places(static_cast<int>(size));
    for (std::size_t place = 0; place < members.size(); ++place) {
      std::vector<Rank>& children = served_[static_cast<std::size_t>(members[place])];
      for (const int child : places[place]) children.push_back(members[static_cast<std::size_t>(child)]);
    }
    for (std::size_t next = 0; next < reached.size() && reached.size() < static_cast<std::size_t>(how_.senders);
         ++next) {
      const std::vector<Rank>& children = served_[static_cast<std::size_t>(reached[next])];
      reached.insert(reached.end(), children.begin(), children.end());
    }
    return reached;
  }

  const std::vector<std::vector<int>>& children_of_places(int size) {
    std::vector<std::vector<int>>& places = places_[size];
    if (!places.empty()) return places;
    places.resize(static_cast<std::size_t>(size));
    std::vector<Subtree> next{{0, size}};
    while (!next.empty()) {
      const Subtree whole = next.back();
      next.pop_back();
      for (const Subtree& child : how_.inside.children(whole)) {
        places[static_cast<std::size_t>(whole.top)].push_back(child.top);
        next.push_back(child);
      }
    }
    return places;
  }

  Rank root_;
  const RotatedTrees& how_;
  const Group& whole_;
  std::int64_t stride_;
  int index_ = 0;
  std::int64_t turn_ = 0;
  Served served_;
  std::map<int, std::vector<std::vector<int>>> places_;  // by size of a cluster
};

}  // namespace

MappedTrees rotated_trees(const std::string& name, const Hierarchy& hierarchy, Rank root, const RotatedTrees& how) {
  Rotation rotation(hierarchy, root, how);
  std::vector<MappedTrees::Weighted> all;
  for (int tree = 0; tree < how.trees; ++tree) all.push_back({rotation.tree(tree), 1});
  return {name, std::move(all)};
}

}  // namespace tombolo
