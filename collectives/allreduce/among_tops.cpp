#include <algorithm>

#include <tombolo/collectives/allreduce/among_tops.hpp>
#include <tombolo/collectives/nested_groups.hpp>
#include <tombolo/collectives/scratch_limit.hpp>

namespace tombolo {

namespace {

// Memory for pieces that arrive, used again and again in turn. Behind what scratch there is, as far as there is room
// for one round, else in the same place.
class Areas {
 public:
  Areas(std::int64_t round, std::int64_t rounds, std::int64_t each, std::int64_t limit, ScheduleWriter& writer)
      : each_(each) {
    const std::int64_t before = writer.scratch(0);
    if (before + round * each <= limit) first_ = before;
    areas_ = std::min(round * rounds, (limit - first_) / each / round * round);
    writer.scratch(std::max<std::int64_t>(0, first_ + areas_ * each - before));
  }

  Piece next(std::int64_t count) {
    const Piece area{Buffer::scratch, first_ + turn_ * each_, count};
    turn_ = turn_ + 1 == areas_ ? 0 : turn_ + 1;
    return area;
  }

 private:
  std::int64_t each_;
  std::int64_t first_ = 0;
  std::int64_t areas_ = 0;
  std::int64_t turn_ = 0;
};

// Adds the pieces up from the first to the last, never into the own one, which is being sent.
Piece sum_of(const std::vector<Piece>& pieces, std::size_t own, ScheduleWriter& writer) {
  Piece sum = pieces.front();
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    if (i == own) {
      writer.reduce({pieces[i]}, {sum});
    } else {
      writer.reduce({sum}, {pieces[i]});
      sum = pieces[i];
    }
  }
  return sum;
}

}  // namespace

void allreduce_among_tops(const std::vector<PartOfTops>& parts, std::int64_t largest, const Request& request, int radix,
                          ScheduleWriter& writer) {
  int most_tops = 1;
  for (const PartOfTops& each : parts) most_tops = std::max(most_tops, each.tops.size());
  if (most_tops == 1 || largest == 0) return;
  // The sum so far and all that arrives in a round.
  const std::int64_t limit = combining_scratch_limit(request.count, request.element_bytes);
  const auto base = static_cast<int>(std::min<std::int64_t>(std::max(radix, 2), limit / largest));
  Areas areas(std::min(base, most_tops), static_cast<std::int64_t>(parts.size()), largest, limit, writer);

  for (const auto& [part, tops] : parts) {
    Piece sum = part;
    const std::vector<GroupLevel> levels = nested_groups(tops.size(), base, tops.own());
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
      const Group& own = level->own();
      const int index = tops.own() - own.first;
      for (int step = 1; step < level->count(); ++step) {
        for (const int target : partnered(own, index, level->further(-step))) writer.send(tops.rank(target), {sum});
      }
      std::vector<Piece> arrived(level->groups.size(), sum);
      for (int step = 1; step < level->count(); ++step) {
        Piece& area = arrived[static_cast<std::size_t>(level->index(step))];
        area = areas.next(part.count);
        if (area == sum) area = areas.next(part.count);
        writer.receive(tops.rank(partner(level->further(step), index)), {area});
      }
      sum = sum_of(arrived, static_cast<std::size_t>(level->mine), writer);
    }
    writer.copy({sum}, {part});
  }
}

}  // namespace tombolo
