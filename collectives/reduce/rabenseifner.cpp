#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/reduce_scatter/reduce_scatter.hpp>
#include <tombolo/collectives/scratch_limit.hpp>
#include <tombolo/collectives/shapes.hpp>
#include <tombolo/collectives/tree.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 2;

// Rabenseifner 2004: shares are combined by halving, with groups of almost equal sizes where the number of ranks is no
// power of the radix, and gather up a binomial tree.
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const Places places(request, parameters);
  const PlacedBlocks shares = PlacedBlocks::even(request.count, places);
  const int place = places.place(rank);
  const bool is_root = rank == request.root;
  ScratchRoom room(writer);
  const ReduceScatter first{
      .blocks = shares,
      .place = place,
      .source = request.in_place && is_root ? Buffer::output : Buffer::input,
      .scratch_limit = combining_scratch_limit(request.count, request.element_bytes),
  };
  const Piece own =
      reduce_scatter_over_groups(first, parameters.radix > 0 ? parameters.radix : usual_radix, room, writer);

  // What else is in scratch is no longer needed, but the own share is in the first `count` elements of it.
  const Tree::Node node = Tree(binomial_shape(), request.ranks).node(place);
  const auto in_scratch = [&](const Subtree& subtree) {
    const std::int64_t before = shares.elements({place + 1, subtree.top - place - 1});
    return room.at(request.count + before, shares.elements({subtree.top, subtree.size}));
  };
  for (const Subtree& child : node.children_by_place()) {
    writer.receive(places.rank(child.top),
                   is_root ? shares.blocks({child.top, child.size}, Buffer::output) : Pieces{in_scratch(child)});
  }
  if (is_root) {
    writer.copy({own}, {shares.block(place, Buffer::output)});
  } else {
    writer.send(places.rank(node.parent), {own, in_scratch({place + 1, node.subtree.size - 1})});
  }
}

}  // namespace

const Algorithm reduce_rabenseifner{
    .name = "rabenseifner",
    .operation = Operation::reduce,
    .summary = "shares are combined by halving and gather up a tree; each element moves twice, for large vectors",
    .write = write,
    .radix = usual_radix,
    .reorders = true,
};

}  // namespace tombolo
