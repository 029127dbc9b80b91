// Reductions over striped trees: the segments are divided among several trees, and every rank has children in at most
// one tree. The algorithm "relays" has as many trees as ranks, so that every rank except the root is the only inner
// node of one tree.

#include <tombolo/collectives/algorithms/common/tree_packing.hpp>
#include <tombolo/collectives/algorithms/reduce/trees.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

namespace {

// The root is above all trees; each segment goes up one of the trees, and from the tree's root to the request's root.
// Operands are reordered.
void reduce_over_striped_trees(int trees, const Request& request, const Parameters& parameters, Rank rank,
                               ScheduleWriter& writer) {
  const TreePacking packing(request, parameters, TreePacking::Root::above, trees);
  const TreeRoutes routes = routes_over_packing(packing, request, parameters, rank, Direction::up);
  const bool is_root = rank == request.root;
  reduce_along(routes, request, parameters, {.own_in_output = is_root && request.in_place, .has_output = is_root},
               writer);
  if (packing.trees() > 0 || request.in_place) return;
  writer.copy({{Buffer::input, 0, request.count}}, {{Buffer::output, 0, request.count}});
}

}  // namespace

const Algorithm reduce_disjoint_trees{
    .name = "disjoint_trees",
    .operation = Operation::reduce,
    .summary = "trees that share out the segments, every rank with children in one only; two are the double tree",
    .write = write_over_packing<reduce_over_striped_trees>,
    .uses = {Parameter::segment_bytes},
    .period = period_of_packing,
    .radix = packing_radix,
    .needs_commutative = true,
};

const Algorithm reduce_relays{
    .name = "relays",
    .operation = Operation::reduce,
    .summary = "each segment is combined by another rank and sent to the root; for large vectors",
    .write = write_over_relays<reduce_over_striped_trees>,
    .uses = {Parameter::segment_bytes, Parameter::rates},
    .period = [](const Request& request, const Parameters&) { return request.ranks - 1; },
    .needs_commutative = true,
};

}  // namespace tombolo
