#include <tombolo/collectives/bcast/over_tree.hpp>
#include <tombolo/collectives/places.hpp>
#include <tombolo/collectives/segments.hpp>

namespace tombolo {

void bcast_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                     ScheduleWriter& writer) {
  const Places places(request, parameters);
  const Tree::Node node = Tree(shape, request.ranks).node(places.place(rank));
  const int from_parent = writer.lane(parameters.window);
  std::vector<int> lanes;
  for (std::size_t child = 0; child < node.children.size(); ++child) lanes.push_back(writer.lane(parameters.window));

  const Piece vector{Buffer::output, 0, request.count};
  for (const Piece& segment : segments(vector, request.element_bytes, parameters.segment_bytes)) {
    if (node.parent >= 0) writer.receive(places.rank(node.parent), {segment}, {.lane = from_parent});
    for (std::size_t child = 0; child < node.children.size(); ++child) {
      writer.send(places.rank(node.children[child].top), {segment}, {.lane = lanes[child]});
    }
  }
}

}  // namespace tombolo
