#include <tombolo/collectives/operations/rules.hpp>

namespace tombolo {

const OperationRules gatherv_operation{
    .contract = [](const Request& request, Rank rank) { return gather_contract(request, rank, rank == request.root); },
    .needed = [](const Request&, const RankSummary& from, const RankSummary& to) { return to.root ? from.blocks : 0; },
    .needs = [](const Request& request, Rank to,
                Rank from) { return to == request.root && request.blocks.count(from) > 0; },
    .hockney_bound = root_port_bound,
};

}  // namespace tombolo
