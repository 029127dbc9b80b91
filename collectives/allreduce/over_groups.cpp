#include <algorithm>

#include <tombolo/collectives/allreduce/over_groups.hpp>
#include <tombolo/collectives/nested_groups.hpp>
#include <tombolo/collectives/places.hpp>
#include <tombolo/collectives/rotated_sum.hpp>
#include <tombolo/collectives/scratch_limit.hpp>

namespace tombolo {

void allreduce_over_groups(const Request& request, const Parameters& parameters, int radix, Rank rank,
                           ScheduleWriter& writer) {
  if (request.count == 0) return;
  const Places places = request.commutative ? Places(request, parameters) : Places::in_rank_order(request.ranks);
  const int place = places.place(rank);
  const Piece result{Buffer::output, 0, request.count};
  Piece sum{request.in_place ? Buffer::output : Buffer::input, 0, request.count};

  // The sum so far, which is being sent, and all that arrives in a round: if that had to wait for a place, ranks could
  // wait for one another in a circle.
  const std::int64_t room = combining_scratch_limit(request.count, request.element_bytes) / request.count;
  const auto base = static_cast<int>(std::min<std::int64_t>({radix, request.ranks, room + 1}));
  VectorAreas areas;
  areas.add_scratch(request.ranks > 1 ? base - 1 : 0, request.count, writer);
  if (!request.in_place) areas.add(result);

  const std::vector<GroupLevel> levels = nested_groups(request.ranks, std::max(base, 2), place);
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const Group& own = level->own();
    const int index = place - own.first;
    const int last = level->count() - 1;
    const bool is_last_round = std::next(level) == levels.rend();
    for (int step = 1; step <= last; ++step) {
      for (const int target : partnered(own, index, level->further(-step))) writer.send(places.rank(target), {sum});
    }
    RotatedSum total(sum, areas, writer);
    for (int step = 1; step <= last; ++step) {
      const bool above = request.commutative || level->index(step) > level->mine;
      const bool is_last = step == last || (!request.commutative && level->index(step) == last);
      const Piece arrived = above && is_last && is_last_round ? areas.take_output() : areas.take();
      writer.receive(places.rank(partner(level->further(step), index)), {arrived});
      above ? total.add_above(arrived) : total.add_below(arrived);
    }
    const Piece before = std::exchange(sum, total.finish());
    if (before != sum && before.buffer != Buffer::input) areas.give_back(before);
  }
  writer.copy({sum}, {result});
}

}  // namespace tombolo
