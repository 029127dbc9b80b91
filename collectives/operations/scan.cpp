// Scan and exscan, which differ in the own contribution.
#include <tombolo/collectives/operations/rules.hpp>

namespace tombolo {

namespace {

// The largest prefix that one set needs of the other.
std::int64_t prefix_needed(const Request& request, const RankSummary& from, const RankSummary& to) {
  return from.lowest < to.highest ? request.count : 0;
}

bool needs_lower(const Request&, Rank to, Rank from) {
  return from < to;
}

}  // namespace

const OperationRules scan_operation{
    .contract = [](const Request& request, Rank rank) { return prefix_contract(request, rank, rank); },
    .needed = prefix_needed,
    .needs = needs_lower,
    .hockney_bound = prefix_bound,
};

const OperationRules exscan_operation{
    .contract = [](const Request& request, Rank rank) { return prefix_contract(request, rank, rank - 1); },
    .needed = prefix_needed,
    .needs = needs_lower,
    .hockney_bound = prefix_bound,
};

}  // namespace tombolo
