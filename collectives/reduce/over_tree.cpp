#include <tombolo/collectives/places.hpp>
#include <tombolo/collectives/reduce/over_tree.hpp>
#include <tombolo/collectives/segments.hpp>

namespace tombolo {

namespace {

Piece at(Buffer buffer, std::int64_t offset, const Piece& segment) {
  return {buffer, offset, segment.count};
}

}  // namespace

void reduce_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                      ScheduleWriter& writer) {
  const Places places = request.commutative ? Places(request, parameters) : Places::in_rank_order(request.ranks);
  const Tree::Node node = Tree(shape, request.ranks).node(places.place(rank));
  const bool is_top = node.parent < 0;
  const bool is_root = rank == request.root;
  const Rank up = is_top ? request.root : places.rank(node.parent);
  const Buffer own = request.in_place && is_root ? Buffer::output : Buffer::input;
  const int lane = writer.lane(parameters.window);

  const auto parts = segments({own, 0, request.count}, request.element_bytes, parameters.segment_bytes);
  const std::int64_t room = parts.empty() || node.children.empty() ? 0 : parts.front().count;
  const std::int64_t slots[2] = {writer.scratch(room), writer.scratch(room)};

  const std::vector<Subtree> children = node.children_by_place();
  int turn = 0;
  for (const Piece& part : parts) {
    // What has been combined so far covers the places from this one on; the next child's places follow them, so the sum
    // is the left operand and its result stands where the child's contribution came in.
    Piece sum = part;
    for (const Subtree& child : children) {
      const Piece arrived = at(Buffer::scratch, slots[turn], part);
      turn ^= 1;
      writer.receive(places.rank(child.top), {arrived}, {.lane = lane});
      writer.reduce({sum}, {arrived});
      sum = arrived;
    }
    const Piece result = at(Buffer::output, part.offset, part);
    if (!is_top || !is_root) writer.send(up, {sum}, {.lane = lane});
    if (is_top && is_root) writer.copy({sum}, {result});
    if (!is_top && is_root) writer.receive(places.rank(0), {result}, {.lane = lane});
  }
}

}  // namespace tombolo
