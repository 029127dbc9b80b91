// Reduce_scatters in rotated order: every rank sends each block directly to its owner, all at once (direct) or with one
// partner each way per step (pairwise).

#include <algorithm>

#include <tombolo/collectives/algorithms/common/channel_set.hpp>
#include <tombolo/collectives/algorithms/common/placed_blocks.hpp>
#include <tombolo/collectives/algorithms/common/rotated_sum.hpp>
#include <tombolo/collectives/algorithms/reduce_scatter/reduce_scatter.hpp>
#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

void reduce_scatter_in_rotation(const Request& request, const Parameters& parameters, Rank rank, bool paced,
                                ScheduleWriter& writer) {
  const RankOrder rank_order = request.commutative ? RankOrder(request.ranks, request.root, parameters.order)
                                                   : RankOrder::in_rank_order(request.ranks);
  const PlacedBlocks blocks(request.blocks, rank_order);
  const int size = rank_order.size();
  const int place = rank_order.place(rank);
  const Buffer source = request.in_place ? Buffer::output : Buffer::input;
  const BufferRange own = blocks.block(place, source);
  const BufferRange result{Buffer::output, 0, own.count};

  // As many blocks as scratch has room for can arrive at any time.
  VectorAreas areas;
  const std::int64_t limit = combining_scratch_limit(request.blocks.total(), request.element_bytes);
  const std::int64_t room = own.count > 0 ? std::min<std::int64_t>(size, limit / own.count) : 0;
  if (size > 1) areas.add_scratch(room, own.count, writer);
  if (!request.in_place) areas.add(result);

  const int out = paced ? 0 : channel_of_single_messages(writer, parameters);
  const int in = paced ? 0 : channel_of_single_messages(writer, parameters);
  RotatedSum sum(own, areas, writer);
  std::vector<StepId> before;
  for (int step = 1; step < size; ++step) {
    const int target = (place - step + size) % size;
    const int from = (place + step) % size;
    const bool above = request.commutative || from > place;
    StepId received = no_step;
    if (own.count > 0) {
      const bool is_last_above = step == size - 1 || (!request.commutative && from == size - 1);
      const BufferRange arrived = above && is_last_above && !request.in_place ? areas.take_output() : areas.take();
      received = writer.receive(rank_order.rank(from), {arrived}, {.channel = in, .after = before});
      above ? sum.add_above(arrived) : sum.add_below(arrived);
      if (request.in_place && step == 1 && above) areas.give_back(own);
    }
    const StepId sent =
        writer.send(rank_order.rank(target), {blocks.block(target, source)}, {.channel = out, .after = before});
    if (paced && (received != no_step || sent != no_step)) before = {received, sent};
  }
  BufferRange stands = sum.finish();
  const bool overlaps = stands.buffer == result.buffer && stands.offset < result.count && stands != result;
  if (overlaps) {
    const BufferRange aside = areas.take();
    writer.copy({stands}, {aside});
    stands = aside;
  }
  writer.copy({stands}, {result});
}

namespace {

template <bool paced>
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  reduce_scatter_in_rotation(request, parameters, rank, paced, writer);
}

}  // namespace

const Algorithm reduce_scatter_direct{
    .name = "direct",
    .operation = Operation::reduce_scatter,
    .summary = "every rank sends every other its part at once; one latency, keeps operands in order, for fast switches",
    .write = write<false>,
};

const Algorithm reduce_scatter_pairwise{
    .name = "pairwise",
    .operation = Operation::reduce_scatter,
    .summary = "one partner each way per step; no two messages to one rank at a time, keeps operands in order",
    .write = write<true>,
};

}  // namespace tombolo
