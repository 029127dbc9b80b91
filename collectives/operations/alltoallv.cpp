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
    .crossing =
        [](const Request& request, const Sides& sides) {
          Crossing found;
          if (const auto factors = request.exchange.factors()) {
            const auto& [rows, columns] = *factors;
            Crossing sent;
            Crossing received;
            for (Rank rank = 0; rank < request.ranks; ++rank) {
              const bool inside = sides.among(rank);
              (inside ? sent.out : sent.in) += rows.count(rank);
              (inside ? received.in : received.out) += columns.count(rank);
            }
            return Crossing{.out = sent.out * received.out, .in = sent.in * received.in};
          }
          for (Rank from = 0; from < request.ranks; ++from) {
            const Blocks sends = request.exchange.sends(from);
            for (Rank to = 0; to < request.ranks; ++to) {
              if (sides.among(from) == sides.among(to)) continue;
              (sides.among(from) ? found.out : found.in) += sends.count(to);
            }
          }
          return found;
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
      return most == 0 ? 0 : model.time(most);
    },
};

}  // namespace tombolo
