// Allreduces up a tree and down again: segments are combined on their way up, and passed down while later segments
// still go up. The algorithms differ only in the tree: a tree topology over virtual ranks; trees mapped to the
// platform, each of which carries a share of the vector; or striped trees, in which every rank has children in at most
// one tree. The algorithm "relays" has as many striped trees as ranks, so that every rank is the only inner node of one
// tree.

#include <tombolo/collectives/algorithms/bcast/trees.hpp>
#include <tombolo/collectives/algorithms/common/tree_packing.hpp>
#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/algorithms/reduce/trees.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

namespace {

// Writes an allreduce along the routes up and down again, from a function of the direction.
template <class Routes>
void allreduce_along(const Routes& routes, const Request& request, const Parameters& parameters,
                     ScheduleWriter& writer) {
  reduce_along(routes(Direction::up), request, parameters, {.own_in_output = request.in_place, .has_output = true},
               writer);
  bcast_along(routes(Direction::down), parameters, writer);
}

// Operands that do not commute are combined over a tree in rank order.
template <TreeFamily shape>
void write_tree(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const RankOrder rank_order = request.commutative ? RankOrder(request.ranks, request.root, parameters.order)
                                                   : RankOrder::in_rank_order(request.ranks);
  const auto routes = [&](Direction direction) {
    return routes_over_tree(shape(parameters), rank_order, request, parameters, rank, direction);
  };
  allreduce_along(routes, request, parameters, writer);
}

template <TreeFamily family>
consteval Algorithm over(std::string_view summary) {
  Algorithm algorithm = over_tree<family>(Operation::allreduce, summary, write_tree<family>);
  algorithm.shape = nullptr;  // no root
  return algorithm;
}

void write_mapped(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = trees_or_binomial(request, parameters);
  const auto routes = [&](Direction direction) {
    return routes_over_trees(trees, request, parameters, rank, direction);
  };
  allreduce_along(routes, request, parameters, writer);
}

// No root is above the trees: each segment is combined up one of the trees and passed down the same tree. Operands are
// reordered.
void allreduce_over_striped_trees(int trees, const Request& request, const Parameters& parameters, Rank rank,
                                  ScheduleWriter& writer) {
  const TreePacking packing(request, parameters, TreePacking::Root::none, trees);
  const auto routes = [&](Direction direction) {
    return routes_over_packing(packing, request, parameters, rank, direction);
  };
  allreduce_along(routes, request, parameters, writer);
}

}  // namespace

const Algorithm allreduce_k_nomial =
    over<k_nomial_tree>("up a tree of few levels and down again; for small vectors, keeps operands in order");

const Algorithm allreduce_postal =
    over<postal_tree>("up the tree that hears most ranks in any time and down again; for small vectors");

const Algorithm allreduce_binary =
    over<binary_tree>("up a tree of two children each and down again; in segments, for vectors of middle size");

const Algorithm allreduce_chain =
    over<chain_tree>("up from rank to rank and down again; in segments, for large vectors of operands in order");

const Algorithm allreduce_mapped =
    over_mapped(Operation::allreduce, "up trees made for the platform and down again, each with a share of the vector",
                write_mapped, true);

const Algorithm allreduce_disjoint_trees = over_packing<allreduce_over_striped_trees>(
    Operation::allreduce, "segments go up and down one of several trees, every rank with children in one only", true);
const Algorithm allreduce_relays = over_relays<allreduce_over_striped_trees>(
    Operation::allreduce, "each segment is combined by another rank, which sends it to all others; for large vectors",
    true);

}  // namespace tombolo
