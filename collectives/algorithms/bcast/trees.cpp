// Broadcasts down a tree. The algorithms differ only in the tree: a tree topology over virtual ranks; trees mapped to
// the platform, each of which carries a share of the vector; or striped trees, in which every rank has children in at
// most one tree. The algorithm "relays" has as many striped trees as ranks, so that every rank except the root is the
// only inner node of one tree.

#include <tombolo/collectives/algorithms/bcast/trees.hpp>
#include <tombolo/collectives/algorithms/common/channel_set.hpp>
#include <tombolo/collectives/algorithms/common/tree_packing.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/tree.hpp>

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

template <TreeFamily family>
consteval Algorithm over(std::string_view summary) {
  return over_tree<family>(Operation::bcast, summary, write_tree<family>);
}

void write_mapped(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = trees_or_binomial(request, parameters);
  bcast_along(routes_over_trees(trees, request, parameters, rank, Direction::down), parameters, writer);
}

// The root is above all trees; each segment goes through one of the trees.
void bcast_over_striped_trees(int trees, const Request& request, const Parameters& parameters, Rank rank,
                              ScheduleWriter& writer) {
  const TreePacking packing(request, parameters, TreePacking::Root::above, trees);
  bcast_along(routes_over_packing(packing, request, parameters, rank, Direction::down), parameters, writer);
}

}  // namespace

const Algorithm bcast_flat = over<flat_tree>("the root sends to every rank in turn; for two or three ranks");

const Algorithm bcast_binomial =
    over<binomial_tree>("every rank that has the vector passes it on; fewest steps for small vectors");

const Algorithm bcast_k_nomial =
    over<k_nomial_tree>("as binomial, but a rank serves several at a time; where sending takes less than arriving");

const Algorithm bcast_postal = over<postal_tree>(
    "the tree that informs most ranks in any time, from what latency is to sending; for small vectors");

const Algorithm bcast_binary =
    over<binary_tree>("a tree of two children each; segments flow down it, for vectors of middle size");

const Algorithm bcast_k_ary =
    over<k_ary_tree>("a tree of a few children each; segments flow down it, for vectors of middle size");

const Algorithm bcast_chain =
    over<chain_tree>("from rank to rank; segments follow one another, every link is used once, for large vectors");

const Algorithm bcast_mapped = over_mapped(
    Operation::bcast, "down trees made for the platform, each with a share of the vector", write_mapped, false);

const Algorithm bcast_disjoint_trees = over_packing<bcast_over_striped_trees>(
    Operation::bcast,
    "trees that share out the segments, every rank with children in one only; two are the double tree", false);

const Algorithm bcast_relays = over_relays<bcast_over_striped_trees>(
    Operation::bcast, "each segment goes to another rank, which sends it to all others; for large vectors", false);

}  // namespace tombolo
