// Rabenseifner's reduction in two halves: a reduce_scatter, after which every rank has its share of the result, and a
// gather of the shares over a binomial tree.

#include <tombolo/collectives/algorithms/reduce_scatter/reduce_scatter.hpp>
#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 2;

// Rabenseifner 2004, with groups of almost equal sizes if the number of ranks is not a power of the radix.
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const RankOrder rank_order(request.ranks, request.root, parameters.order);
  const PlacedBlocks shares = PlacedBlocks::even(request.count, rank_order);
  const int place = rank_order.place(rank);
  const bool is_root = rank == request.root;
  ScratchRoom room(writer);
  const ReduceScatter first{
      .blocks = shares,
      .place = place,
      .source = request.in_place && is_root ? Buffer::output : Buffer::input,
      .scratch_limit = combining_scratch_limit(request.count, request.element_bytes),
  };
  const BufferRange own = reduce_scatter_over_groups(first, parameters.radix_or(usual_radix), room, writer);

  // The own share is within the first `count` elements of scratch; the rest of these is free.
  const Tree::Node node = Tree(binomial_tree(), request.ranks).node(place);
  const auto in_scratch = [&](const Subtree& subtree) {
    const std::int64_t before = shares.elements({place + 1, subtree.top - place - 1});
    return room.at(request.count + before, shares.elements({subtree.top, subtree.size}));
  };
  for (const Subtree& child : node.children_by_place()) {
    writer.receive(rank_order.rank(child.top),
                   is_root ? shares.blocks({child.top, child.size}, Buffer::output) : BufferRanges{in_scratch(child)});
  }
  if (is_root) {
    writer.copy({own}, {shares.block(place, Buffer::output)});
  } else {
    writer.send(rank_order.rank(node.parent), {own, in_scratch({place + 1, node.subtree.size - 1})});
  }
}

}  // namespace

const Algorithm reduce_rabenseifner{
    .name = "rabenseifner",
    .operation = Operation::reduce,
    .summary = "shares are combined by halving and gather up a tree; each element moves twice, for large vectors",
    .write = write,
    .near = NearRanks::far_apart,
    .radix = usual_radix,
    .needs_commutative = true,
};

}  // namespace tombolo
