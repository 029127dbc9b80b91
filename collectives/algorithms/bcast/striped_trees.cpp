// Broadcasts over striped trees: the segments are divided among several trees, and every rank has children in at most
// one tree. The algorithm "relays" has as many trees as ranks, so that every rank except the root is the only inner
// node of one tree.

#include <tombolo/collectives/algorithms/bcast/trees.hpp>
#include <tombolo/collectives/algorithms/common/tree_packing.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

namespace {

// The root is above all trees; each segment goes through one of the trees.
void bcast_over_striped_trees(int trees, const Request& request, const Parameters& parameters, Rank rank,
                              ScheduleWriter& writer) {
  const TreePacking packing(request, parameters, TreePacking::Root::above, trees);
  bcast_along(routes_over_packing(packing, request, parameters, rank, Direction::down), parameters, writer);
}

}  // namespace

const Algorithm bcast_disjoint_trees{
    .name = "disjoint_trees",
    .operation = Operation::bcast,
    .summary = "trees that share out the segments, every rank with children in one only; two are the double tree",
    .write = write_over_packing<bcast_over_striped_trees>,
    .uses = {Parameter::segment_bytes},
    .period = period_of_packing,
    .radix = packing_radix,
};

const Algorithm bcast_relays{
    .name = "relays",
    .operation = Operation::bcast,
    .summary = "each segment goes to another rank, which sends it to all others; for large vectors",
    .write = write_over_relays<bcast_over_striped_trees>,
    .uses = {Parameter::segment_bytes, Parameter::rates},
    .period = [](const Request& request, const Parameters&) { return request.ranks - 1; },
};

}  // namespace tombolo
