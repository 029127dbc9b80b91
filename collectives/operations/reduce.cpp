#include <tombolo/collectives/operations/rules.hpp>

namespace tombolo {

const OperationRules reduce_operation{
    .contract =
        [](const Request& request, Rank rank) {
          Contract c;
          const bool is_root = rank == request.root;
          const bool in_output = is_root && request.in_place;
          c.reduces = true;
          if (is_root) c.output_size = request.count;
          c.scratch_limit = combining_scratch_limit(request.count, request.element_bytes);
          if (!in_output) c.input_size = request.count;
          c.before.push_back(contribution({in_output ? Buffer::output : Buffer::input, 0, request.count}, rank));
          if (is_root) c.after.push_back({{Buffer::output, 0, request.count}, {0, {{0, request.ranks - 1}}}});
          return c;
        },
    .needed = [](const Request& request, const RankSummary&,
                 const RankSummary& to) { return to.root ? request.count : 0; },
    .needs = [](const Request& request, Rank to, Rank) { return to == request.root; },
    .hockney_bound = vector_bound,
    .combined_per_host = [](const Request& request) { return request.count; },
};

}  // namespace tombolo
