#include <algorithm>

#include <tombolo/collectives/lane_set.hpp>
#include <tombolo/collectives/scatterv/along_blocks.hpp>
#include <tombolo/collectives/segments.hpp>

namespace tombolo {

void scatterv_along(const SubtreeBlocks& blocks, const Request& request, const Parameters& parameters, Rank rank,
                    ScheduleWriter& writer) {
  const Tree::Node& node = blocks.node();
  const std::int64_t own = request.blocks.count(rank);
  LaneSet receives = LaneSet::with_parents(writer, parameters);
  LaneSet sends = LaneSet::with_children(writer, parameters);
  // Both sides cut the blocks of a subtree in the order of places and take the last segment first.
  const auto last_first = [&](const Pieces& pieces) {
    auto parts = segments(pieces, request.element_bytes, parameters.segment_bytes);
    std::reverse(parts.begin(), parts.end());
    return parts;
  };

  if (!blocks.is_root()) {
    const std::int64_t below = blocks.elements({node.subtree.top + 1, node.subtree.size - 1});
    writer.scratch(below);
    for (const Pieces& part : last_first({{Buffer::output, 0, own}, {Buffer::scratch, 0, below}})) {
      writer.receive(blocks.parent(), part, {.lane = receives.lane(blocks.parent())});
    }
  }
  for (const Subtree& child : node.children) {
    const Rank to = blocks.rank(child);
    const Pieces all = blocks.is_root() ? blocks.at_root(child, Buffer::input) : blocks.in_scratch(child);
    for (const Pieces& part : last_first(all)) writer.send(to, part, {.lane = sends.lane(to)});
  }
  if (blocks.is_root() && !request.in_place) {
    writer.copy({{Buffer::input, request.blocks.offset(rank), own}}, {{Buffer::output, 0, own}});
  }
}

void learn_scatterv_along(const SubtreeBlocks& blocks, ScheduleWriter& writer) {
  if (!blocks.is_root()) writer.receive(blocks.parent(), blocks.counts(blocks.node().subtree, false));
  for (const Subtree& child : blocks.node().children) writer.send(blocks.rank(child), blocks.counts(child, false));
}

}  // namespace tombolo
