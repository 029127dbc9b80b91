#include <array>
#include <cstddef>

#include <tombolo/collectives/operations/rules.hpp>

namespace tombolo {

const OperationRules& rules(Operation operation) {
#define TOMBOLO_OPERATION(name, ...) &name##_operation,
  static constexpr auto table = std::to_array<const OperationRules*>({
#include <tombolo/collectives/request/operations.def>
  });
#undef TOMBOLO_OPERATION
  return *table[static_cast<std::size_t>(operation)];
}

Crossing crossing(const Request& request, const Among& among) {
  Sides sides{.among = among, .root_inside = among(request.root)};
  bool any_inside = false;
  bool any_outside = false;
  for (Rank rank = 0; rank < request.ranks; ++rank) {
    const bool inside = among(rank);
    sides.outside_first = sides.outside_first || (inside && any_outside);
    sides.inside_first = sides.inside_first || (!inside && any_inside);
    (inside ? any_inside : any_outside) = true;
    if (request.blocks.size() > 0) (inside ? sides.inside : sides.outside) += request.blocks.count(rank);
  }
  if (!any_inside || !any_outside) return {};
  const Crossing elements = rules(request.operation).crossing(request, sides);
  return {.out = elements.out * request.element_bytes, .in = elements.in * request.element_bytes};
}

}  // namespace tombolo
