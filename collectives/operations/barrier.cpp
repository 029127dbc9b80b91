#include <tombolo/collectives/operations/rules.hpp>

namespace tombolo {

const OperationRules barrier_operation{
    .contract =
        [](const Request&, Rank) {
          Contract c;
          c.synchronises = true;
          return c;
        },
    .needed = [](const Request&, const RankSummary&, const RankSummary&) { return std::int64_t{0}; },
    .needs = [](const Request&, Rank, Rank) { return true; },
    .hockney_bound = [](const Request& request, const Hockney& model) { return spreading_bound(request.ranks, model); },
};

}  // namespace tombolo
