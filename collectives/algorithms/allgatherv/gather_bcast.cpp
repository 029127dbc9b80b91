// An allgather as a gather to virtual rank 0 and a broadcast from it, both over a binomial tree.

#include <tombolo/collectives/algorithms/allgatherv/allgather.hpp>
#include <tombolo/collectives/algorithms/bcast/trees.hpp>
#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

namespace {

// Blocks are gathered in the output, at their positions in the result.
void write_gather_bcast(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const RankOrder rank_order(request.ranks, request.root, parameters.order);
  const PlacedBlocks blocks(request.blocks, rank_order);
  const int place = rank_order.place(rank);
  const Tree::Node node = Tree(binomial_tree(), request.ranks).node(place);
  const BufferRange result = blocks.block(place, Buffer::output);
  const Allgather all{
      .blocks = blocks, .place = place, .own = request.in_place ? result : BufferRange{Buffer::input, 0, result.count}};
  for (const Subtree& child : node.children_by_place()) {
    writer.receive(rank_order.rank(child.top), all.into({child.top, child.size}));
  }
  if (node.parent >= 0) {
    writer.send(rank_order.rank(node.parent), all.from({place, node.subtree.size}));
  } else {
    writer.copy({all.own}, {result});
  }
  const Request whole =
      Request::bcast(request.ranks, rank_order.rank(0), request.blocks.total(), request.element_bytes);
  bcast_along(routes_over_tree(binomial_tree(), rank_order, whole, parameters, rank, Direction::down), parameters,
              writer);
}

}  // namespace

const Algorithm allgatherv_gather_bcast{
    .name = "gather_bcast",
    .operation = Operation::allgatherv,
    .summary = "blocks gather up a binomial tree and the whole is broadcast down it, in segments; few messages in all",
    .write = write_gather_bcast,
    .uses = {Parameter::segment_bytes},
};

}  // namespace tombolo
