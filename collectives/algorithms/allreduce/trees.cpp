// Allreduces up a tree and down again. The algorithms differ only in the tree: a tree topology over virtual ranks, or
// trees mapped to the platform, each of which carries a share of the vector.

#include <tombolo/collectives/algorithms/allreduce/trees.hpp>
#include <tombolo/collectives/algorithms/bcast/trees.hpp>
#include <tombolo/collectives/algorithms/common/mapped_routes.hpp>
#include <tombolo/collectives/algorithms/reduce/trees.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/tree_families.hpp>

namespace tombolo {

void allreduce_along(const TreeRoutes& up, const TreeRoutes& down, const Request& request, const Parameters& parameters,
                     ScheduleWriter& writer) {
  reduce_along(up, request, parameters, {.own_in_output = request.in_place, .has_output = true}, writer);
  bcast_along(down, parameters, writer);
}

namespace {

// Operands that do not commute are combined over a tree in rank order.
template <TreeFamily shape>
void write_tree(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const RankOrder rank_order = request.commutative ? RankOrder(request.ranks, request.root, parameters.order)
                                                   : RankOrder::in_rank_order(request.ranks);
  const auto routes = [&](Direction direction) {
    return routes_over_tree(shape(parameters), rank_order, request, parameters, rank, direction);
  };
  allreduce_along(routes(Direction::up), routes(Direction::down), request, parameters, writer);
}

void write_mapped(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = trees_or_binomial(request, parameters);
  const auto routes = [&](Direction direction) {
    return routes_over_trees(trees, request, parameters, rank, direction);
  };
  allreduce_along(routes(Direction::up), routes(Direction::down), request, parameters, writer);
}

}  // namespace

const Algorithm allreduce_k_nomial{
    .name = "k_nomial",
    .operation = Operation::allreduce,
    .summary = "up a tree of few levels and down again; for small vectors, keeps operands in order",
    .write = write_tree<k_nomial_tree>,
    .uses = {Parameter::segment_bytes},
    .radix = k_nomial_radix,
};

const Algorithm allreduce_postal{
    .name = "postal",
    .operation = Operation::allreduce,
    .summary = "up the tree that hears most ranks in any time and down again; for small vectors",
    .write = write_tree<postal_tree>,
    .uses = {Parameter::segment_bytes, Parameter::delay},
};

const Algorithm allreduce_binary{
    .name = "binary",
    .operation = Operation::allreduce,
    .summary = "up a tree of two children each and down again; in segments, for vectors of middle size",
    .write = write_tree<binary_tree>,
    .uses = {Parameter::segment_bytes},
};

const Algorithm allreduce_chain{
    .name = "chain",
    .operation = Operation::allreduce,
    .summary = "up from rank to rank and down again; in segments, for large vectors of operands in order",
    .write = write_tree<chain_tree>,
    .uses = {Parameter::segment_bytes},
};

const Algorithm allreduce_mapped{
    .name = "mapped",
    .operation = Operation::allreduce,
    .summary = "up trees made for the platform and down again, each with a share of the vector",
    .write = write_mapped,
    .uses = {Parameter::segment_bytes},
    .period = period_of_trees,
    .mapped = Mapped::trees,
    .needs_commutative = true,
};

}  // namespace tombolo
