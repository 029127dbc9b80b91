// Scan and exscan, which differ in the own contribution.
#include <tombolo/collectives/operations/rules.hpp>

namespace tombolo {

namespace {

// The largest prefix that one side needs of the other.
Crossing prefix_crossing(const Request& request, const Sides& sides) {
  return {.out = sides.inside_first ? request.count : 0, .in = sides.outside_first ? request.count : 0};
}

bool needs_lower(const Request&, Rank to, Rank from) {
  return from < to;
}

}  // namespace

const OperationRules scan_operation{
    .contract = [](const Request& request, Rank rank) { return prefix_contract(request, rank, rank); },
    .crossing = prefix_crossing,
    .needs = needs_lower,
    .hockney_bound = vector_bound,
};

const OperationRules exscan_operation{
    .contract = [](const Request& request, Rank rank) { return prefix_contract(request, rank, rank - 1); },
    .crossing = prefix_crossing,
    .needs = needs_lower,
    // The last rank contributes nothing.
    .hockney_bound = [](const Request& request,
                        const Hockney& model) { return vector_bound(request, request.ranks - 1, model); },
};

}  // namespace tombolo
