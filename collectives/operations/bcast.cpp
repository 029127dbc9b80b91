#include <tombolo/collectives/operations/rules.hpp>

namespace tombolo {

const OperationRules bcast_operation{
    .contract =
        [](const Request& request, Rank rank) {
          Contract c;
          c.output_size = request.count;
          c.scratch_limit = request.count;
          const Content vector = contribution({Buffer::output, 0, request.count}, request.root);
          if (rank == request.root) c.before.push_back(vector);
          c.after.push_back(vector);
          return c;
        },
    .needed = [](const Request& request, const RankSummary& from,
                 const RankSummary&) { return from.root ? request.count : 0; },
    .needs = [](const Request& request, Rank, Rank from) { return from == request.root; },
    .hockney_bound = vector_bound,
};

}  // namespace tombolo
