#include <tombolo/collectives/allgatherv/over_places.hpp>
#include <tombolo/collectives/bcast/over_tree.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

namespace {

// Blocks gather in the output, where they belong, up to the first place, which broadcasts the whole.
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const Places places(request, parameters);
  const PlacedBlocks blocks(request.blocks, places);
  const int place = places.place(rank);
  const Tree::Node node = Tree(binomial_shape(), request.ranks).node(place);
  const Piece result = blocks.block(place, Buffer::output);
  const Allgather all{
      .blocks = blocks, .place = place, .own = request.in_place ? result : Piece{Buffer::input, 0, result.count}};
  for (const Subtree& child : node.children_by_place()) {
    writer.receive(places.rank(child.top), all.into({child.top, child.size}));
  }
  if (node.parent >= 0) {
    writer.send(places.rank(node.parent), all.from({place, node.subtree.size}));
  } else {
    writer.copy({all.own}, {result});
  }
  const Request whole = Request::bcast(request.ranks, places.rank(0), request.blocks.total(), request.element_bytes);
  bcast_over_tree(binomial_shape(), whole, parameters, rank, writer);
}

}  // namespace

const Algorithm allgatherv_gather_bcast{
    .name = "gather_bcast",
    .operation = Operation::allgatherv,
    .summary = "blocks gather up a binomial tree and the whole is broadcast down it, in segments; few messages in all",
    .write = write,
    .segments = true,
};

}  // namespace tombolo
