#include <tombolo/collectives/operations/rules.hpp>

namespace tombolo {

const OperationRules reduce_scatter_operation{
    .contract =
        [](const Request& request, Rank rank) {
          Contract c;
          const std::int64_t total = request.blocks.total();
          const std::int64_t own = request.blocks.count(rank);
          c.reduces = true;
          c.scratch_limit = combining_scratch_limit(total, request.element_bytes);
          c.output_size = request.in_place ? total : own;
          if (!request.in_place) c.input_size = total;
          c.before.push_back(contribution({request.in_place ? Buffer::output : Buffer::input, 0, total}, rank));
          c.after.push_back({{Buffer::output, 0, own}, {request.blocks.offset(rank), {{0, request.ranks - 1}}}});
          return c;
        },
    .needed = [](const Request&, const RankSummary&, const RankSummary& to) { return to.blocks; },
    .needs = [](const Request& request, Rank to, Rank) { return request.blocks.count(to) > 0; },
    .hockney_bound = all_blocks_bound,
    .combined_per_host = [](const Request& request) { return request.blocks.total(); },
};

}  // namespace tombolo
