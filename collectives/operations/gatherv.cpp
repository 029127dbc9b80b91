#include <tombolo/collectives/operations/rules.hpp>

namespace tombolo {

const OperationRules gatherv_operation{
    .contract = [](const Request& request, Rank rank) { return gather_contract(request, rank, rank == request.root); },
    .crossing =
        [](const Request&, const Sides& sides) {
          return sides.root_inside ? Crossing{.out = 0, .in = sides.outside} : Crossing{.out = sides.inside, .in = 0};
        },
    .needs = [](const Request& request, Rank to,
                Rank from) { return to == request.root && request.blocks.count(from) > 0; },
    .hockney_bound = root_port_bound,
};

}  // namespace tombolo
