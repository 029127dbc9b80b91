#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <tombolo/collectives/operations/rules.hpp>

namespace tombolo {

const OperationRules& rules(Operation operation) {
#define TOMBOLO_OPERATION(name, ...) &name##_operation,
  static constexpr auto table = std::to_array<const OperationRules*>({
#include <tombolo/collectives/request/operations.def>
#include <tombolo/units.hpp>
  });
#undef TOMBOLO_OPERATION
  return *table[static_cast<std::size_t>(operation)];
}

void RankSummary::add(const Request& request, Rank rank) {
  root = root || rank == request.root;
  lowest = std::min(lowest, rank);
  highest = std::max(highest, rank);
  if (request.blocks.size() > 0) blocks += request.blocks.count(rank);
  if (sizes(request.operation) != Sizes::exchange) return;
  if (const auto factors = request.exchange.factors()) {
    rows += factors->first.count(rank);
    columns += factors->second.count(rank);
  } else {
    members.push_back(rank);
  }
}

void RankSummary::add(const RankSummary& other) {
  root = root || other.root;
  lowest = std::min(lowest, other.lowest);
  highest = std::max(highest, other.highest);
  blocks += other.blocks;
  rows += other.rows;
  columns += other.columns;
  members.insert(members.end(), other.members.begin(), other.members.end());
}

Bytes needed_bytes(const Request& request, const RankSummary& from, const RankSummary& to) {
  if (from.empty() || to.empty()) return 0;
  return rules(request.operation).needed(request, from, to) * request.element_bytes;
}

Crossing crossing(const Request& request, const Among& among) {
  RankSummary inside;
  RankSummary outside;
  for (Rank rank = 0; rank < request.ranks; ++rank) (among(rank) ? inside : outside).add(request, rank);
  return {.out = needed_bytes(request, inside, outside), .in = needed_bytes(request, outside, inside)};
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

namespace {

int rounds(std::int64_t ranks) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(ranks) - 1));
}

// The last ceil(lg ranks) - 1 latencies are those of spreading. Before, the source sends n messages whose sizes add up
// to the vector; after the i-th one the other ranks still have to receive all that was not sent before it. So
// i latencies and the size of the i-th message come on top, for every i; the largest sum is least if all are equal.
Picoseconds copying_bound(int ranks, Bytes vector, const Hockney& model) {
  const Picoseconds latency = model.time(0);
  const Picoseconds bytes = model.time(vector) - latency;
  if (ranks == 2) return model.time(vector);
  Picoseconds least = never;
  for (std::int64_t n = 1;; ++n) {
    const Wide sum = static_cast<Wide>(bytes) / n + static_cast<Wide>(latency) * (n + 1) / 2;
    if (sum >= least) break;
    least = static_cast<Picoseconds>(sum);
  }
  return plus(plus(latency * (rounds(ranks) - 1), bytes), least);
}

}  // namespace

Picoseconds vector_bound(const Request& request, const Hockney& model) {
  const Bytes vector = request.count * request.element_bytes;
  return vector == 0 ? 0 : copying_bound(request.ranks, vector, model);
}

Picoseconds prefix_bound(const Request& request, const Hockney& model) {
  const Bytes vector = request.count * request.element_bytes;
  if (vector == 0) return 0;
  // All ranks but the first receive at least 2 ranks - 2 - depth messages of each element; time bounds depth.
  const Picoseconds latency = model.time(0);
  const Picoseconds bytes = model.time(vector) - latency;
  const std::int64_t ranks = request.ranks;
  const auto messages = [&](Picoseconds time) -> Wide {
    const std::int64_t depth = latency > 0 ? std::min<std::int64_t>(time / latency, ranks - 1) : ranks - 1;
    return 2 * ranks - 2 - depth;
  };
  Picoseconds low = vector_bound(request, model);
  Picoseconds high =
      std::max(low, plus(latency, static_cast<Picoseconds>(std::min<Wide>(2 * static_cast<Wide>(bytes), never))));
  while (low < high) {
    const Picoseconds middle = low + (high - low) / 2;
    if (messages(middle) * bytes <= static_cast<Wide>(ranks) * (middle - latency)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

Picoseconds collecting_bound(std::int64_t others, Bytes least, Bytes bytes, const Hockney& model) {
  if (others == 0 || bytes == 0) return 0;
  const Picoseconds latencies = model.time(0) * rounds(others + 1);
  return std::max(model.time(bytes), plus(latencies, model.time(least * others) - model.time(0)));
}

namespace {

// The least block among those that are not empty, but for that of `without`, how many these are, and their sum.
Picoseconds collecting_bound(const Request& request, Rank without, const Hockney& model) {
  std::int64_t others = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (Rank rank = 0; rank < request.ranks; ++rank) {
    const std::int64_t count = request.blocks.count(rank);
    if (rank == without || count == 0) continue;
    ++others;
    least = std::min(least, count);
  }
  const std::int64_t sum = request.blocks.total() - request.blocks.count(without);
  return others == 0 ? 0 : collecting_bound(others, least * request.element_bytes, sum * request.element_bytes, model);
}

}  // namespace

Picoseconds root_port_bound(const Request& request, const Hockney& model) {
  return collecting_bound(request, request.root, model);
}

Picoseconds all_blocks_bound(const Request& request, const Hockney& model) {
  Rank least = 0;
  for (Rank rank = 1; rank < request.ranks; ++rank) {
    if (request.blocks.count(rank) < request.blocks.count(least)) least = rank;
  }
  if (request.blocks.total() == 0) return 0;
  return std::max(spreading_bound(request.ranks, model), collecting_bound(request, least, model));
}

}  // namespace tombolo
