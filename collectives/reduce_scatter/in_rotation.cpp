#include <algorithm>

#include <tombolo/collectives/lane_set.hpp>
#include <tombolo/collectives/placed_blocks.hpp>
#include <tombolo/collectives/reduce_scatter/in_rotation.hpp>
#include <tombolo/collectives/rotated_sum.hpp>
#include <tombolo/collectives/scratch_limit.hpp>

namespace tombolo {

void reduce_scatter_in_rotation(const Request& request, const Parameters& parameters, Rank rank, bool paced,
                                ScheduleWriter& writer) {
  const Places places = request.commutative ? Places(request, parameters) : Places::in_rank_order(request.ranks);
  const PlacedBlocks blocks(request.blocks, places);
  const int size = places.size();
  const int place = places.place(rank);
  const Buffer source = request.in_place ? Buffer::output : Buffer::input;
  const Piece own = blocks.block(place, source);
  const Piece result{Buffer::output, 0, own.count};

  // As many blocks as there is room for can arrive at any time.
  VectorAreas areas;
  const std::int64_t limit = combining_scratch_limit(request.blocks.total(), request.element_bytes);
  const std::int64_t room = own.count > 0 ? std::min<std::int64_t>(size, limit / own.count) : 0;
  if (size > 1) areas.add_scratch(room, own.count, writer);
  if (!request.in_place) areas.add(result);

  const int out = paced ? 0 : lane_of_single_messages(writer, parameters);
  const int in = paced ? 0 : lane_of_single_messages(writer, parameters);
  RotatedSum sum(own, areas, writer);
  std::vector<StepId> before;
  for (int step = 1; step < size; ++step) {
    const int target = (place - step + size) % size;
    const int from = (place + step) % size;
    const bool above = request.commutative || from > place;
    StepId received = no_step;
    if (own.count > 0) {
      const bool is_last_above = step == size - 1 || (!request.commutative && from == size - 1);
      const Piece arrived = above && is_last_above && !request.in_place ? areas.take_output() : areas.take();
      received = writer.receive(places.rank(from), {arrived}, {.lane = in, .after = before});
      above ? sum.add_above(arrived) : sum.add_below(arrived);
      if (request.in_place && step == 1 && above) areas.give_back(own);
    }
    const StepId sent =
        writer.send(places.rank(target), {blocks.block(target, source)}, {.lane = out, .after = before});
    if (paced && (received != no_step || sent != no_step)) before = {received, sent};
  }
  Piece stands = sum.finish();
  const bool overlaps = stands.buffer == result.buffer && stands.offset < result.count && stands != result;
  if (overlaps) {
    const Piece aside = areas.take();
    writer.copy({stands}, {aside});
    stands = aside;
  }
  writer.copy({stands}, {result});
}

}  // namespace tombolo
