// An allgather over several trees, one per cluster: blocks are gathered to the roots of the trees, leaders of the
// clusters, which exchange them and broadcast all blocks.

#include <tombolo/collectives/algorithms/allgatherv/allgather.hpp>
#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

namespace {

// The groups of virtual ranks of the leaders' trees, in order; together all virtual ranks.
std::vector<Group> below_leaders(const RankTree& tree) {
  std::vector<Group> groups;
  for (int place = 0; place < tree.ranks(); place = groups.back().end()) {
    groups.push_back({place, tree.subtree(place).size});
  }
  return groups;
}

// Writes the exchange of the leaders' blocks by recursive multiplying among them.
void exchange_among_leaders(const Allgather& all, const std::vector<Group>& leaders, int own_leader, int radix,
                            ScheduleWriter& writer) {
  const auto led = [&leaders](int index) { return leaders[static_cast<std::size_t>(index)]; };
  const auto below = [&](const Group& some) {
    return Group{led(some.first).first, led(some.end() - 1).end() - led(some.first).first};
  };
  exchange_over_groups(
      static_cast<int>(leaders.size()), own_leader, radix,
      [&](int source, const Group& group) { writer.receive(all.rank(led(source).first), all.into(below(group))); },
      [&](int target, const Group& own) { writer.send(all.rank(led(target).first), all.from(below(own))); });
}

void write_leaders(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = leaders_or_default(request, parameters);
  const RankTree& tree = trees.tree(0);
  Request from_first = request;
  from_first.root = tree.order().front();
  write_allgatherv(from_first, {.order = tree.order()}, rank, writer, [&](const Allgather& all) {
    const Tree::Node node = tree.node(all.place);
    const auto others = [&](const Subtree& below) {
      return std::vector<Group>{{0, below.top}, {below.end(), all.size() - below.end()}};
    };
    for (const Subtree& child : node.children) writer.receive(all.rank(child.top), all.into({child.top, child.size}));
    if (node.parent >= 0) {
      writer.send(all.rank(node.parent), all.from({all.place, node.subtree.size}));
      writer.receive(all.rank(node.parent), all.into(others(node.subtree)));
    } else {
      const int radix = parameters.radix_or(leaders_radix);
      exchange_among_leaders(all, below_leaders(tree), tree.root_index(rank), radix, writer);
    }
    for (const Subtree& child : node.children) writer.send(all.rank(child.top), all.from(others(child)));
  });
}

}  // namespace

const Algorithm allgatherv_leaders{
    .name = "leaders",
    .operation = Operation::allgatherv,
    .summary = "blocks gather to leaders of clusters, who exchange directly and broadcast all: long links once",
    .write = write_leaders,
    .radix = leaders_radix,
    .mapped = Mapped::leaders,
};

}  // namespace tombolo
