#include <algorithm>
#include <bit>

#include <tombolo/collectives/bound.hpp>

namespace tombolo {

namespace {

// Whoever has heard can tell one more rank per latency: ceil(log2(ranks)) of them until all have.
Picoseconds spreading(const Request& request, const Hockney& model) {
  return model.time(0) * static_cast<int>(std::bit_width(static_cast<unsigned>(request.ranks) - 1));
}

// Everything that is not the root's own passes the root's port; each of the messages costs a latency, and there is one
// at least.
Picoseconds through_root(const Request& request, const Hockney& model) {
  const Bytes others = (request.blocks.total() - request.blocks.count(request.root)) * request.element_bytes;
  return others == 0 ? 0 : model.time(others);
}

Picoseconds through_busiest(const Request& request, const Hockney& model) {
  Bytes most = 0;
  for (Rank rank = 0; rank < request.ranks; ++rank) {
    const Blocks sends = request.exchange.sends(rank);
    const Blocks receives = request.exchange.receives(rank);
    most = std::max({most, (sends.total() - sends.count(rank)) * request.element_bytes,
                     (receives.total() - receives.count(rank)) * request.element_bytes});
  }
  return most == 0 ? 0 : model.time(most);
}

}  // namespace

Picoseconds lower_bound(const Request& request, const Hockney& model) {
  if (request.ranks == 1) return 0;
  switch (request.operation) {
    case Operation::barrier:
      return spreading(request, model);
    case Operation::bcast:
    case Operation::reduce:
      if (request.count == 0) return 0;
      return std::max(spreading(request, model), model.time(request.count * request.element_bytes));
    case Operation::scatterv:
    case Operation::gatherv:
      return through_root(request, model);
    case Operation::alltoallv:
      return through_busiest(request, model);
  }
  return 0;
}

}  // namespace tombolo
