#include <algorithm>
#include <utility>

#include <tombolo/collectives/nested_groups.hpp>
#include <tombolo/collectives/rotated_sum.hpp>
#include <tombolo/collectives/scan/over_groups.hpp>
#include <tombolo/collectives/scratch_limit.hpp>

namespace tombolo {

namespace {

// Whether anybody hears from the rank, at a level outside that one, what the groups of that level make together; beyond
// the last level, what it has itself. Mostly so where there are later ranks, but not all ranks have a partner in every
// group.
bool hands_on(int ranks, int radix, Rank rank, std::size_t level) {
  const std::vector<GroupLevel> levels = nested_groups(ranks, radix, rank);
  const int end = level < levels.size() ? levels[level].groups.back().end() : rank + 1;
  if (level == 0 || end == ranks) return false;
  const GroupLevel& outer = levels[level - 1];
  for (int group = outer.count() - 1; group >= 0; --group) {
    if (group == outer.mine && hands_on(ranks, radix, rank, level - 1)) return true;
    if (group == outer.mine) continue;
    const Group& other = outer.groups[static_cast<std::size_t>(group)];
    for (const int target : partnered(outer.own(), rank - outer.own().first, other)) {
      if (group > outer.mine || hands_on(ranks, radix, target, level - 1)) return true;
    }
  }
  return false;
}

}  // namespace

void scan_over_groups(const Request& request, int radix, Rank rank, bool inclusive, ScheduleWriter& writer) {
  if (request.count == 0) return;
  const Piece result{Buffer::output, 0, request.count};
  Piece total{request.in_place ? Buffer::output : Buffer::input, 0, request.count};  // of the group
  const std::int64_t room = combining_scratch_limit(request.count, request.element_bytes) / request.count;
  const auto base = static_cast<int>(std::min<std::int64_t>({radix, request.ranks, room}));
  VectorAreas areas;
  if (request.ranks > 1) areas.add_scratch(base, request.count, writer);

  if (inclusive && !request.in_place) writer.copy({total}, {result});
  const int groups = std::max(base, 2);
  const std::vector<GroupLevel> levels = nested_groups(request.ranks, groups, rank);
  if (request.in_place && hands_on(request.ranks, groups, rank, levels.size())) {  // what is handed on is set aside
    const Piece aside = areas.take();
    writer.copy({total}, {aside});
    total = aside;
  }
  bool holds_some = inclusive;  // the result, of what is to stand there
  for (std::size_t depth = levels.size(); depth-- > 0;) {
    const GroupLevel& level = levels[depth];
    const Group& own = level.own();
    const int index = rank - own.first;
    for (int step = 1; step < level.count(); ++step) {
      for (const int target : partnered(own, index, level.further(-step))) {
        const bool wanted = level.index(-step) > level.mine || hands_on(request.ranks, groups, target, depth);
        if (wanted) writer.send(target, {total});
      }
    }
    const bool goes_on = hands_on(request.ranks, groups, rank, depth);
    RotatedSum sum(total, areas, writer);
    for (int step = 1; step < level.count(); ++step) {
      const bool above = level.index(step) > level.mine;
      if (above && !goes_on) continue;
      const Piece arrived = areas.take();
      writer.receive(partner(level.further(step), index), {arrived});
      above ? sum.add_above(arrived) : sum.add_below(arrived);
    }
    if (const auto below = sum.below()) {
      holds_some ? writer.reduce({*below}, {result}) : writer.copy({*below}, {result});
      holds_some = true;
    }
    if (goes_on) {
      const Piece before = std::exchange(total, sum.finish());
      if (before != total && before.buffer == Buffer::scratch) areas.give_back(before);
    } else if (const auto below = sum.below()) {
      areas.give_back(*below);
    }
  }
}

}  // namespace tombolo
