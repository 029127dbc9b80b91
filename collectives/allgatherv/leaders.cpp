#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/allgatherv/allgather.hpp>
#include <tombolo/collectives/mapped_routes.hpp>
#include <tombolo/collectives/tops.hpp>

namespace tombolo {

namespace {

// The places of all tops' trees, in order; together they are all there are.
std::vector<Group> below_tops(const RankTree& tree) {
  std::vector<Group> groups;
  for (int place = 0; place < tree.ranks(); place = groups.back().end()) {
    groups.push_back({place, tree.subtree(place).size});
  }
  return groups;
}

// Groups of tops that have one another's blocks exchange them with radix - 1 others, then the groups of these do.
void exchange_among_tops(const Allgather& all, const std::vector<Group>& tops, int own_top, int radix,
                         ScheduleWriter& writer) {
  const auto top = [&tops](int index) { return tops[static_cast<std::size_t>(index)]; };
  const auto below = [&](const Group& some) {
    return Group{top(some.first).first, top(some.end() - 1).end() - top(some.first).first};
  };
  const std::vector<GroupLevel> levels = nested_groups(static_cast<int>(tops.size()), radix, own_top);
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const Group& own = level->own();
    const int index = own_top - own.first;
    for (int step = 1; step < level->count(); ++step) {
      const Group& source = level->further(-step);
      writer.receive(all.rank(top(partner(source, index)).first), all.into(below(source)));
      for (const int target : partnered(own, index, level->further(step))) {
        writer.send(all.rank(top(target).first), all.from(below(own)));
      }
    }
  }
}

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = trees_or_several_tops(request, parameters);
  const RankTree& tree = trees.tree(0);
  Request from_first = request;
  from_first.root = tree.order().front();
  const Places places(from_first, {.order = tree.order()});
  const PlacedBlocks blocks(request.blocks, places);
  const int place = places.place(rank);
  const Piece result = blocks.block(place, Buffer::output);
  const Allgather all{
      .blocks = blocks, .place = place, .own = request.in_place ? result : Piece{Buffer::input, 0, result.count}};
  const auto others = [&](const Subtree& below) {
    return std::vector<Group>{{0, below.top}, {below.end(), all.size() - below.end()}};
  };

  const Tree::Node node = tree.node(place);
  for (const Subtree& child : node.children) writer.receive(all.rank(child.top), all.into({child.top, child.size}));
  if (node.parent >= 0) {
    writer.send(all.rank(node.parent), all.from({place, node.subtree.size}));
    writer.receive(all.rank(node.parent), all.into(others(node.subtree)));
  } else {
    const std::vector<Group> tops = below_tops(tree);
    const int radix = parameters.radix > 0 ? parameters.radix : tops_radix;
    exchange_among_tops(all, tops, Tops(tree, rank).own(), radix, writer);
  }
  for (const Subtree& child : node.children) writer.send(all.rank(child.top), all.from(others(child)));
  writer.copy({all.own}, {result});
}

}  // namespace

const Algorithm allgatherv_leaders{
    .name = "leaders",
    .operation = Operation::allgatherv,
    .summary = "blocks gather to leaders of clusters, who exchange directly and broadcast all: long links once",
    .write = write,
    .radix = tops_radix,
    .mapped = true,
    .several_tops = true,
};

}  // namespace tombolo
