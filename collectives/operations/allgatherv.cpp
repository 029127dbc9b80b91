#include <tombolo/collectives/operations/rules.hpp>

namespace tombolo {

const OperationRules allgatherv_operation{
    .contract = [](const Request& request, Rank rank) { return gather_contract(request, rank, true); },
    .needed = [](const Request&, const RankSummary& from, const RankSummary&) { return from.blocks; },
    .needs = [](const Request& request, Rank, Rank from) { return request.blocks.count(from) > 0; },
    .hockney_bound = all_blocks_bound,
};

}  // namespace tombolo
