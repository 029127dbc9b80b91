#include <algorithm>
#include <bit>

#include <tombolo/collectives/bound.hpp>

namespace tombolo {

namespace {

// Whoever has heard can tell one more rank per latency: ceil(log2(ranks)) of them until all have.
Picoseconds spreading(int ranks, const Hockney& model) {
  return model.time(0) * static_cast<int>(std::bit_width(static_cast<unsigned>(ranks) - 1));
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

// Every rank must get all blocks but its own, or give away all but its own.
Picoseconds through_most_bereft(const Request& request, const Hockney& model) {
  std::int64_t least = request.blocks.total();
  for (Rank rank = 0; rank < request.ranks; ++rank) least = std::min(least, request.blocks.count(rank));
  const Bytes others = (request.blocks.total() - least) * request.element_bytes;
  return others == 0 ? 0 : std::max(spreading(request.ranks, model), model.time(others));
}

}  // namespace

Picoseconds lower_bound(const Request& request, const Hockney& model) {
  if (request.ranks == 1) return 0;
  const Bytes vector = request.count * request.element_bytes;
  switch (request.operation) {
    case Operation::barrier:
      return spreading(request.ranks, model);
    case Operation::allreduce:
      // Each element must be combined somewhere and come back: every rank sends all but one part of the vector, twice
      // (Patarasuk and Yuan 2009).
      if (vector == 0) return 0;
      return std::max(spreading(request.ranks, model),
                      model.time(2 * (vector - (vector + request.ranks - 1) / request.ranks)));
    case Operation::bcast:
    case Operation::reduce:
    case Operation::scan:
      if (vector == 0) return 0;
      return std::max(spreading(request.ranks, model), model.time(vector));
    case Operation::exscan:  // the last rank brings nothing
      if (vector == 0) return 0;
      return std::max(spreading(request.ranks - 1, model), model.time(vector));
    case Operation::scatterv:
    case Operation::gatherv:
      return through_root(request, model);
    case Operation::allgatherv:
    case Operation::reduce_scatter:
      return through_most_bereft(request, model);
    case Operation::alltoallv:
      return through_busiest(request, model);
  }
  return 0;
}

}  // namespace tombolo
