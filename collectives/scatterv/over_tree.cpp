#include <tombolo/collectives/scatterv/over_tree.hpp>
#include <tombolo/collectives/subtree_blocks.hpp>

namespace tombolo {

void scatterv_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                        ScheduleWriter& writer) {
  const Places places(request, parameters);
  const SubtreeBlocks blocks(request, places, Tree(shape, request.ranks).node(places.place(rank)));
  const Tree::Node& node = blocks.node();
  const std::int64_t own = request.blocks.count(rank);
  const int lane = writer.lane(parameters.window);

  if (!blocks.is_root()) {
    const std::int64_t below = blocks.elements({node.subtree.top + 1, node.subtree.size - 1});
    writer.scratch(below);
    writer.receive(blocks.parent(), {{Buffer::output, 0, own}, {Buffer::scratch, 0, below}});
  }
  for (const Subtree& child : node.children) {
    writer.send(blocks.rank(child), blocks.is_root() ? blocks.at_root(child, Buffer::input) : blocks.in_scratch(child),
                {.lane = lane});
  }
  if (blocks.is_root() && !request.in_place) {
    writer.copy({{Buffer::input, request.blocks.offset(rank), own}}, {{Buffer::output, 0, own}});
  }
}

void learn_scatterv_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                              ScheduleWriter& writer) {
  const Places places(request, parameters);
  const SubtreeBlocks blocks(request, places, Tree(shape, request.ranks).node(places.place(rank)));
  if (!blocks.is_root()) writer.receive(blocks.parent(), blocks.counts(blocks.node().subtree, false));
  for (const Subtree& child : blocks.node().children) writer.send(blocks.rank(child), blocks.counts(child, false));
}

}  // namespace tombolo
