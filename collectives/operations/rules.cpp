#include <algorithm>
#include <array>
#include <bit>
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

Contract prefix_contract(const Request& request, Rank rank, Rank last) {
  Contract c;
  c.reduces = true;
  c.scratch_limit = combining_scratch_limit(request.count, request.element_bytes);
  if (last >= 0 || request.in_place) c.output_size = request.count;
  if (!request.in_place) c.input_size = request.count;
  const Buffer own = request.in_place ? Buffer::output : Buffer::input;
  c.before.push_back(contribution({own, 0, request.count}, rank));
  if (last >= 0) c.after.push_back({{Buffer::output, 0, request.count}, {0, {{0, last}}}});
  return c;
}

Contract gather_contract(const Request& request, Rank rank, bool gets_all) {
  Contract c;
  const std::int64_t own = request.blocks.count(rank);
  c.scratch_limit = request.blocks.total();
  if (gets_all && request.in_place) {
    c.before.push_back(contribution({Buffer::output, request.blocks.offset(rank), own}, rank));
  } else {
    c.input_size = own;
    c.before.push_back(contribution({Buffer::input, 0, own}, rank));
  }
  if (!gets_all) return c;
  c.output_size = request.blocks.total();
  for (Rank r = 0; r < request.ranks; ++r) {
    c.after.push_back(contribution({Buffer::output, request.blocks.offset(r), request.blocks.count(r)}, r));
  }
  return c;
}

Picoseconds spreading_bound(int ranks, const Hockney& model) {
  return model.time(0) * static_cast<int>(std::bit_width(static_cast<unsigned>(ranks) - 1));
}

Picoseconds vector_bound(const Request& request, int ranks, const Hockney& model) {
  const Bytes vector = request.count * request.element_bytes;
  return vector == 0 ? 0 : std::max(spreading_bound(ranks, model), model.time(vector));
}

Picoseconds vector_bound(const Request& request, const Hockney& model) {
  return vector_bound(request, request.ranks, model);
}

Picoseconds root_port_bound(const Request& request, const Hockney& model) {
  const Bytes others = (request.blocks.total() - request.blocks.count(request.root)) * request.element_bytes;
  return others == 0 ? 0 : model.time(others);
}

Picoseconds all_blocks_bound(const Request& request, const Hockney& model) {
  std::int64_t least = request.blocks.total();
  for (Rank rank = 0; rank < request.ranks; ++rank) least = std::min(least, request.blocks.count(rank));
  const Bytes others = (request.blocks.total() - least) * request.element_bytes;
  return others == 0 ? 0 : std::max(spreading_bound(request.ranks, model), model.time(others));
}

}  // namespace tombolo
