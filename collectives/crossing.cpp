#include <tombolo/collectives/crossing.hpp>

namespace tombolo {

namespace {

struct Sides {
  bool root_inside = false;
  bool inside_first = false;   ///< a rank outside has one inside before it
  bool outside_first = false;  ///< a rank inside has one outside before it
  bool both = false;           ///< there are ranks on both sides
  std::int64_t inside = 0;     ///< elements of blocks
  std::int64_t outside = 0;
};

Sides sides_of(const Request& request, const Among& among) {
  Sides sides;
  sides.root_inside = among(request.root);
  bool any_inside = false;
  bool any_outside = false;
  for (Rank rank = 0; rank < request.ranks; ++rank) {
    const bool inside = among(rank);
    sides.outside_first = sides.outside_first || (inside && any_outside);
    sides.inside_first = sides.inside_first || (!inside && any_inside);
    (inside ? any_inside : any_outside) = true;
    if (request.blocks.size() > 0) (inside ? sides.inside : sides.outside) += request.blocks.count(rank);
  }
  sides.both = any_inside && any_outside;
  return sides;
}

// In elements.
Crossing exchanged(const Exchange& exchange, int ranks, const Among& among) {
  Crossing found;
  for (Rank from = 0; from < ranks; ++from) {
    const Blocks sends = exchange.sends(from);
    for (Rank to = 0; to < ranks; ++to) {
      if (among(from) == among(to)) continue;
      (among(from) ? found.out : found.in) += sends.count(to);
    }
  }
  return found;
}

Crossing in_elements(const Request& request, const Among& among) {
  const Sides sides = sides_of(request, among);
  if (!sides.both) return {};
  const std::int64_t vector = request.count;
  switch (request.operation) {
    case Operation::barrier:
      return {};
    case Operation::bcast:
      return sides.root_inside ? Crossing{.out = vector, .in = 0} : Crossing{.out = 0, .in = vector};
    case Operation::reduce:
      return sides.root_inside ? Crossing{.out = 0, .in = vector} : Crossing{.out = vector, .in = 0};
    case Operation::allreduce:
      return {.out = vector, .in = vector};
    case Operation::scan:
    case Operation::exscan:
      return {.out = sides.inside_first ? vector : 0, .in = sides.outside_first ? vector : 0};
    case Operation::scatterv:
      return sides.root_inside ? Crossing{.out = sides.outside, .in = 0} : Crossing{.out = 0, .in = sides.inside};
    case Operation::gatherv:
      return sides.root_inside ? Crossing{.out = 0, .in = sides.outside} : Crossing{.out = sides.inside, .in = 0};
    case Operation::allgatherv:
      return {.out = sides.inside, .in = sides.outside};
    case Operation::reduce_scatter:
      return {.out = sides.outside, .in = sides.inside};
    case Operation::alltoallv:
      return exchanged(request.exchange, request.ranks, among);
  }
  return {};
}

}  // namespace

Crossing crossing(const Request& request, const Among& among) {
  const Crossing found = in_elements(request, among);
  return {.out = found.out * request.element_bytes, .in = found.in * request.element_bytes};
}

}  // namespace tombolo
