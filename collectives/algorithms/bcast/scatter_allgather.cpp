// Broadcasts in two halves (van de Geijn): the root scatters shares of the vector, then an allgather collects all
// shares on all ranks. The algorithms differ in the allgather.

#include <tombolo/collectives/algorithms/allgatherv/allgather.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 2;

// The vector has one share per virtual rank; shares go down a binomial tree. After the scatter a rank has the shares of
// its subtree, which the allgather does not send to it again.
template <class Gather>
void scatter_then(const Gather& gather, const Request& request, const Parameters& parameters, Rank rank,
                  ScheduleWriter& writer) {
  const RankOrder rank_order(request.ranks, request.root, parameters.order);
  const PlacedBlocks shares = PlacedBlocks::even(request.count, rank_order);
  const Tree tree(binomial_tree(), request.ranks);
  const int place = rank_order.place(rank);
  const Tree::Node node = tree.node(place);
  const auto of = [&shares](const Subtree& subtree) {
    return shares.blocks({subtree.top, subtree.size}, Buffer::output);
  };
  if (node.parent >= 0) writer.receive(rank_order.rank(node.parent), of(node.subtree));
  for (const Subtree& child : node.children) writer.send(rank_order.rank(child.top), of(child));
  gather(Allgather{
      .blocks = shares,
      .place = place,
      .own = shares.block(place, Buffer::output),
      .held =
          [&tree](int at) {
            const Subtree subtree = tree.node(at).subtree;
            return Group{subtree.top, subtree.size};
          },
  });
}

void write_scatter_allgather(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const auto gather = [&](const Allgather& all) {
    allgather_over_groups(all, parameters.radix_or(usual_radix), writer);
  };
  scatter_then(gather, request, parameters, rank, writer);
}

void write_scatter_ring_allgather(const Request& request, const Parameters& parameters, Rank rank,
                                  ScheduleWriter& writer) {
  const auto gather = [&](const Allgather& all) { allgather_over_ring(all, request.element_bytes, {}, writer); };
  scatter_then(gather, request, parameters, rank, writer);
}

}  // namespace

const Algorithm bcast_scatter_allgather{
    .name = "scatter_allgather",
    .operation = Operation::bcast,
    .summary = "shares go down a tree, then groups of `radix` exchange what they have; for middle sizes on one switch",
    .write = write_scatter_allgather,
    .near = NearRanks::far_apart,
    .radix = usual_radix,
};

const Algorithm bcast_scatter_ring_allgather{
    .name = "scatter_ring_allgather",
    .operation = Operation::bcast,
    .summary = "shares go down a tree, then around a ring; each element moves twice, for large vectors",
    .write = write_scatter_ring_allgather,
    .near = NearRanks::adjacent,
};

}  // namespace tombolo
