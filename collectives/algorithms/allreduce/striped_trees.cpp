// Allreduces over striped trees: the segments are divided among several trees, and every rank has children in at most
// one tree. The algorithm "relays" has as many trees as ranks, so that every rank is the only inner node of one tree.

#include <tombolo/collectives/algorithms/allreduce/trees.hpp>
#include <tombolo/collectives/algorithms/common/tree_packing.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

namespace {

// No root is above the trees: each segment is combined up one of the trees and passed down the same tree. Operands are
// reordered.
void allreduce_over_striped_trees(int trees, const Request& request, const Parameters& parameters, Rank rank,
                                  ScheduleWriter& writer) {
  const TreePacking packing(request, parameters, TreePacking::Root::none, trees);
  const auto routes = [&](Direction direction) {
    return routes_over_packing(packing, request, parameters, rank, direction);
  };
  allreduce_along(routes(Direction::up), routes(Direction::down), request, parameters, writer);
}

}  // namespace

const Algorithm allreduce_disjoint_trees{
    .name = "disjoint_trees",
    .operation = Operation::allreduce,
    .summary = "segments go up and down one of several trees, every rank with children in one only",
    .write = write_over_packing<allreduce_over_striped_trees>,
    .uses = {Parameter::segment_bytes},
    .period = period_of_packing,
    .radix = packing_radix,
    .needs_commutative = true,
};

const Algorithm allreduce_relays{
    .name = "relays",
    .operation = Operation::allreduce,
    .summary = "each segment is combined by another rank, which sends it to all others; for large vectors",
    .write = write_over_relays<allreduce_over_striped_trees>,
    .uses = {Parameter::segment_bytes, Parameter::rates},
    .period = [](const Request& request, const Parameters&) { return request.ranks; },
    .needs_commutative = true,
};

}  // namespace tombolo
