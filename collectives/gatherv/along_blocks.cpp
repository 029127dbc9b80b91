#include <tombolo/collectives/gatherv/along_blocks.hpp>
#include <tombolo/collectives/lane_set.hpp>
#include <tombolo/collectives/segments.hpp>

namespace tombolo {

void gatherv_along(const SubtreeBlocks& blocks, const Request& request, const Parameters& parameters, Rank rank,
                   ScheduleWriter& writer) {
  const Tree::Node& node = blocks.node();
  const std::int64_t own = request.blocks.count(rank);
  LaneSet receives = LaneSet::with_children(writer, parameters);
  LaneSet sends = LaneSet::with_parents(writer, parameters);
  const auto in_segments = [&](const Pieces& pieces) {
    return segments(pieces, request.element_bytes, parameters.segment_bytes);
  };

  // The nearest first: in a binomial tree their subtrees are the smallest and so the first to be complete.
  for (const Subtree& child : node.children_by_place()) {
    const Rank from = blocks.rank(child);
    const Pieces all = blocks.is_root() ? blocks.at_root(child, Buffer::output) : blocks.in_scratch(child);
    for (const Pieces& part : in_segments(all)) writer.receive(from, part, {.lane = receives.lane(from)});
  }
  if (!blocks.is_root()) {
    const std::int64_t below = blocks.elements({node.subtree.top + 1, node.subtree.size - 1});
    writer.scratch(below);
    for (const Pieces& part : in_segments({{Buffer::input, 0, own}, {Buffer::scratch, 0, below}})) {
      writer.send(blocks.parent(), part, {.lane = sends.lane(blocks.parent())});
    }
  } else if (!request.in_place) {
    writer.copy({{Buffer::input, 0, own}}, {{Buffer::output, request.blocks.offset(rank), own}});
  }
}

void learn_gatherv_along(const SubtreeBlocks& blocks, ScheduleWriter& writer) {
  if (blocks.is_root()) return;  // it has been given all counts
  for (const Subtree& child : blocks.node().children) writer.receive(blocks.rank(child), blocks.counts(child, true));
  if (blocks.node().parent != 0) writer.send(blocks.parent(), blocks.counts(blocks.node().subtree, true));
}

}  // namespace tombolo
