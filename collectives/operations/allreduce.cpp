#include <algorithm>

#include <tombolo/collectives/operations/rules.hpp>

namespace tombolo {

const OperationRules allreduce_operation{
    .contract = [](const Request& request, Rank rank) { return prefix_contract(request, rank, request.ranks - 1); },
    .needed = [](const Request& request, const RankSummary&, const RankSummary&) { return request.count; },
    .needs = [](const Request&, Rank, Rank) { return true; },
    // Each element must be combined somewhere and returned: every rank sends all but one part of the vector twice
    // (Patarasuk and Yuan 2009).
    .hockney_bound = [](const Request& request, const Hockney& model) -> Picoseconds {
      const Bytes vector = request.count * request.element_bytes;
      if (vector == 0) return 0;
      return std::max(vector_bound(request, model),
                      model.time(2 * (vector - (vector + request.ranks - 1) / request.ranks)));
    },
    .combined_per_host = [](const Request& request) { return 2 * request.count; },
};

}  // namespace tombolo
