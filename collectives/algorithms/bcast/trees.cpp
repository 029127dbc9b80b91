// Broadcasts down a tree. The algorithms differ only in the tree: a tree topology over virtual ranks, or trees mapped
// to the platform, each of which carries a share of the vector.

#include <tombolo/collectives/algorithms/bcast/trees.hpp>
#include <tombolo/collectives/algorithms/common/channel_set.hpp>
#include <tombolo/collectives/algorithms/common/mapped_routes.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/tree_families.hpp>

namespace tombolo {

void bcast_along(const TreeRoutes& routes, const Parameters& parameters, ScheduleWriter& writer) {
  ChannelSet receives = ChannelSet::with_parents(writer, parameters);
  ChannelSet sends = ChannelSet::with_children(writer, parameters);
  const auto further = [&](Rank peer) { return routes.further(peer, parameters.segment_bytes); };
  for (const TreeRoutes::Leg& leg : routes.legs) {
    const Role& role = routes.roles[leg.role];
    const BufferRange segment{Buffer::output, leg.offset, leg.count};
    if (role.parent != nobody)
      writer.receive(role.parent, {segment}, {.channel = receives.channel(role.parent, further(role.parent))});
    for (const Rank child : role.children)
      writer.send(child, {segment}, {.channel = sends.channel(child, further(child))});
  }
}

namespace {

template <TreeFamily shape>
void write_tree(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const RankOrder rank_order(request.ranks, request.root, parameters.order);
  bcast_along(routes_over_tree(shape(parameters), rank_order, request, parameters, rank, Direction::down), parameters,
              writer);
}

void write_mapped(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = trees_or_binomial(request, parameters);
  bcast_along(routes_over_trees(trees, request, parameters, rank, Direction::down), parameters, writer);
}

}  // namespace

const Algorithm bcast_flat{
    .name = "flat",
    .operation = Operation::bcast,
    .summary = "the root sends to every rank in turn; for two or three ranks",
    .write = write_tree<flat_tree>,
    .shape = flat_tree,
};

const Algorithm bcast_binomial{
    .name = "binomial",
    .operation = Operation::bcast,
    .summary = "every rank that has the vector passes it on; fewest steps for small vectors",
    .write = write_tree<binomial_tree>,
    .shape = binomial_tree,
    .uses = {Parameter::segment_bytes},
};

const Algorithm bcast_k_nomial{
    .name = "k_nomial",
    .operation = Operation::bcast,
    .summary = "as binomial, but a rank serves several at a time; where sending takes less than arriving",
    .write = write_tree<k_nomial_tree>,
    .shape = k_nomial_tree,
    .uses = {Parameter::segment_bytes},
    .radix = k_nomial_radix,
};

const Algorithm bcast_postal{
    .name = "postal",
    .operation = Operation::bcast,
    .summary = "the tree that informs most ranks in any time, from what latency is to sending; for small vectors",
    .write = write_tree<postal_tree>,
    .shape = postal_tree,
    .uses = {Parameter::segment_bytes, Parameter::delay},
};

const Algorithm bcast_binary{
    .name = "binary",
    .operation = Operation::bcast,
    .summary = "a tree of two children each; segments flow down it, for vectors of middle size",
    .write = write_tree<binary_tree>,
    .shape = binary_tree,
    .uses = {Parameter::segment_bytes},
};

const Algorithm bcast_k_ary{
    .name = "k_ary",
    .operation = Operation::bcast,
    .summary = "a tree of a few children each; segments flow down it, for vectors of middle size",
    .write = write_tree<k_ary_tree>,
    .shape = k_ary_tree,
    .uses = {Parameter::segment_bytes},
    .radix = k_ary_radix,
};

const Algorithm bcast_chain{
    .name = "chain",
    .operation = Operation::bcast,
    .summary = "from rank to rank; segments follow one another, every link is used once, for large vectors",
    .write = write_tree<chain_tree>,
    .shape = chain_tree,
    .uses = {Parameter::segment_bytes},
};

const Algorithm bcast_mapped{
    .name = "mapped",
    .operation = Operation::bcast,
    .summary = "down trees made for the platform, each with a share of the vector",
    .write = write_mapped,
    .uses = {Parameter::segment_bytes},
    .period = period_of_trees,
    .mapped = Mapped::trees,
};

}  // namespace tombolo
