// Scan and exscan by recursive multiplying, for small vectors: groups of ranks with a common sum exchange it with
// `radix` - 1 other groups, then the resulting groups do (radix_groups.hpp).

#include <algorithm>
#include <utility>

#include <tombolo/collectives/algorithms/common/rotated_sum.hpp>
#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/radix_groups.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 4;

// True if the rank sends the sum of the groups of a level to another rank at an outer level; for a level beyond the
// last one, its own vector. Usually true if there are higher ranks, but not all ranks have a partner in every group.
bool hands_on(int ranks, int radix, Rank rank, std::size_t level) {
  const std::vector<GroupLevel> levels = radix_groups(ranks, radix, rank);
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

// Each rank combines the sums of the groups before its own a second time, into its result. Sums that no higher rank
// needs are not sent. The radix is reduced if scratch has no room for all concurrent messages.
void write_recursive_multiplying(const Request& request, const Parameters& parameters, Rank rank,
                                 ScheduleWriter& writer) {
  if (request.count == 0) return;
  const BufferRange result{Buffer::output, 0, request.count};
  BufferRange total{request.in_place ? Buffer::output : Buffer::input, 0, request.count};  // sum of the group
  const std::int64_t room = combining_scratch_limit(request.count, request.element_bytes) / request.count;
  const auto base = static_cast<int>(std::min<std::int64_t>({parameters.radix_or(usual_radix), request.ranks, room}));
  VectorAreas areas;
  if (request.ranks > 1) areas.add_scratch(base, request.count, writer);

  const bool inclusive = request.operation == Operation::scan;
  if (inclusive && !request.in_place) writer.copy({total}, {result});
  const int groups = std::max(base, 2);
  const std::vector<GroupLevel> levels = radix_groups(request.ranks, groups, rank);
  if (request.in_place && hands_on(request.ranks, groups, rank, levels.size())) {  // the vector to be sent is copied
    const BufferRange aside = areas.take();
    writer.copy({total}, {aside});
    total = aside;
  }
  bool holds_some = inclusive;  // the result holds a part of the sum
  for (std::size_t depth = levels.size(); depth-- > 0;) {
    const GroupLevel& level = levels[depth];
    const Group& own = level.own();
    const int index = rank - own.first;
    const bool goes_on = hands_on(request.ranks, groups, rank, depth);
    for (int step = 1; step < level.count(); ++step) {
      // Where only higher ranks get sums the next one is first: every rank gets one message at a time. The highest
      // first would get those of all ranks at once.
      const int at = goes_on ? -step : step;
      for (const int target : partnered(own, index, level.further(at))) {
        const bool wanted = level.index(at) > level.mine || hands_on(request.ranks, groups, target, depth);
        if (wanted) writer.send(target, {total});
      }
    }
    RotatedSum sum(total, areas, writer);
    for (int step = 1; step < level.count(); ++step) {
      const bool above = level.index(step) > level.mine;
      if (above && !goes_on) continue;
      const BufferRange arrived = areas.take();
      writer.receive(partner(level.further(step), index), {arrived});
      above ? sum.add_above(arrived) : sum.add_below(arrived);
    }
    if (const auto below = sum.below()) {
      holds_some ? writer.reduce({*below}, {result}) : writer.copy({*below}, {result});
      holds_some = true;
    }
    if (goes_on) {
      const BufferRange before = std::exchange(total, sum.finish());
      if (before != total && before.buffer == Buffer::scratch) areas.give_back(before);
    } else if (const auto below = sum.below()) {
      areas.give_back(*below);
    }
  }
}

consteval Algorithm by_multiplying(Operation operation) {
  return {
      .name = "exchange",
      .operation = operation,
      .summary = "groups of `radix` ranks exchange their sums, then groups of groups; fewest rounds for small vectors",
      .write = write_recursive_multiplying,
      .radix = usual_radix,
  };
}

}  // namespace

const Algorithm scan_recursive_multiplying = by_multiplying(Operation::scan);
const Algorithm exscan_recursive_multiplying = by_multiplying(Operation::exscan);

}  // namespace tombolo
