#include <tombolo/collectives/operations/rules.hpp>

namespace tombolo {

const OperationRules scatterv_operation{
    .contract =
        [](const Request& request, Rank rank) {
          Contract c;
          c.scratch_limit = request.blocks.total();
          if (rank == request.root) {
            c.input_size = request.blocks.total();
            c.before.push_back(contribution({Buffer::input, 0, c.input_size}, rank));
            if (request.in_place) return c;
          }
          c.output_size = request.blocks.count(rank);
          c.after.push_back(
              contribution({Buffer::output, 0, c.output_size}, request.root, request.blocks.offset(rank)));
          return c;
        },
    .needed = [](const Request&, const RankSummary& from, const RankSummary& to) { return from.root ? to.blocks : 0; },
    .needs = [](const Request& request, Rank to,
                Rank from) { return from == request.root && request.blocks.count(to) > 0; },
    .hockney_bound = root_port_bound,
};

}  // namespace tombolo
