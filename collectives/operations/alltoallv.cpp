#include <algorithm>

#include <tombolo/collectives/operations/rules.hpp>

namespace tombolo {

namespace {

// A forwarding algorithm may send all elements of the call through one rank.
std::int64_t elements_of_all(const Request& request) {
  std::int64_t sum = 0;
  for (Rank r = 0; r < request.ranks; ++r) sum = plus(sum, request.exchange.sends(r).total());
  return sum;
}

}  // namespace

const OperationRules alltoallv_operation{
    .contract =
        [](const Request& request, Rank rank) {
          Contract c;
          const Blocks receives = request.exchange.receives(rank);
          c.input_size = request.exchange.sends(rank).total();
          c.output_size = receives.total();
          c.scratch_limit = elements_of_all(request);
          c.before.push_back(contribution({Buffer::input, 0, c.input_size}, rank));
          for (Rank r = 0; r < request.ranks; ++r) {
            const std::int64_t index = request.exchange.sends(r).offset(rank);
            c.after.push_back(contribution({Buffer::output, receives.offset(r), receives.count(r)}, r, index));
          }
          return c;
        },
    .needed = [](const Request& request, const RankSummary& from, const RankSummary& to) -> std::int64_t {
      if (request.exchange.factors()) return from.rows * to.columns;
      std::int64_t elements = 0;
      for (const Rank sender : from.members) {
        const Blocks sends = request.exchange.sends(sender);
        for (const Rank receiver : to.members) elements += sends.count(receiver);
      }
      return elements;
    },
    .needs = [](const Request& request, Rank to, Rank from) { return request.exchange.sends(from).count(to) > 0; },
    // The busiest port sends or receives all blocks but the own one.
    .hockney_bound = [](const Request& request, const Hockney& model) -> Picoseconds {
      Bytes most = 0;
      for (Rank rank = 0; rank < request.ranks; ++rank) {
        const Blocks sends = request.exchange.sends(rank);
        const Blocks receives = request.exchange.receives(rank);
        most = std::max({most, (sends.total() - sends.count(rank)) * request.element_bytes,
                         (receives.total() - receives.count(rank)) * request.element_bytes});
      }
      if (most == 0) return 0;
      const Bytes least = request.exchange.is_equal() ? request.exchange.largest() * request.element_bytes : 0;
      return least > 0 ? collecting_bound(request.ranks - 1, least, most, model) : model.time(most);
    },
};

}  // namespace tombolo
