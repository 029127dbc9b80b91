// An allreduce over several trees, one per cluster: the roots of the trees, leaders of the clusters, exchange the sums
// of their clusters.

#include <algorithm>
#include <vector>

#include <tombolo/collectives/algorithms/bcast/trees.hpp>
#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/algorithms/reduce/trees.hpp>
#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/radix_groups.hpp>

namespace tombolo {

namespace {

// A part of a vector in Buffer::output, with the leaders (roots) of the trees that carry it, and this rank's index
// among them.
struct PartOfLeaders {
  BufferRange part;
  std::vector<Rank> leaders;
  int own = 0;

  int size() const { return static_cast<int>(leaders.size()); }
  Rank rank(int index) const { return leaders[static_cast<std::size_t>(index)]; }
};

// Scratch for arriving buffer ranges, allocated cyclically. Placed behind the scratch in use if one round fits there,
// else at the beginning of scratch.
class Areas {
 public:
  Areas(std::int64_t round, std::int64_t rounds, std::int64_t each, std::int64_t limit, ScheduleWriter& writer)
      : each_(each) {
    const std::int64_t before = writer.scratch(0);
    if (before + round * each <= limit) first_ = before;
    areas_ = std::min(round * rounds, (limit - first_) / each / round * round);
    writer.scratch(std::max<std::int64_t>(0, first_ + areas_ * each - before));
  }

  BufferRange next(std::int64_t count) {
    const BufferRange area{Buffer::scratch, first_ + turn_ * each_, count};
    turn_ = turn_ + 1 == areas_ ? 0 : turn_ + 1;
    return area;
  }

 private:
  std::int64_t each_;
  std::int64_t first_ = 0;
  std::int64_t areas_ = 0;
  std::int64_t turn_ = 0;
};

// Sums the buffer ranges from the first to the last, without writing to the own one, which is being sent.
BufferRange sum_of(const std::vector<BufferRange>& pieces, std::size_t own, ScheduleWriter& writer) {
  BufferRange sum = pieces.front();
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

// Writes an allreduce of cluster sums among the leaders, for each part that this rank leads. Groups of leaders exchange
// with `radix` - 1 other groups, or with as many as fit into scratch, then the resulting groups do (radix_groups.hpp).
// All leaders combine in the order of leaders, so that rounding errors are equal on all ranks; operands are reordered.
// `largest`: elements of the largest part over all ranks, so that all ranks compute the same room.
void allreduce_among_leaders(const std::vector<PartOfLeaders>& parts, std::int64_t largest, const Request& request,
                             int radix, ScheduleWriter& writer) {
  int most_leaders = 1;
  for (const PartOfLeaders& each : parts) most_leaders = std::max(most_leaders, each.size());
  if (most_leaders == 1 || largest == 0) return;
  // Scratch has room for the sum so far and for all arriving messages of a round.
  const std::int64_t limit = combining_scratch_limit(request.count, request.element_bytes);
  const auto base = static_cast<int>(std::min<std::int64_t>(std::max(radix, 2), limit / largest));
  Areas areas(std::min(base, most_leaders), static_cast<std::int64_t>(parts.size()), largest, limit, writer);

  for (const PartOfLeaders& each : parts) {
    BufferRange sum = each.part;
    const std::vector<GroupLevel> levels = radix_groups(each.size(), base, each.own);
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
      const Group& own = level->own();
      const int index = each.own - own.first;
      for (int step = 1; step < level->count(); ++step) {
        for (const int target : partnered(own, index, level->further(-step))) writer.send(each.rank(target), {sum});
      }
      std::vector<BufferRange> arrived(level->groups.size(), sum);
      for (int step = 1; step < level->count(); ++step) {
        BufferRange& area = arrived[static_cast<std::size_t>(level->index(step))];
        area = areas.next(each.part.count);
        if (area == sum) area = areas.next(each.part.count);
        writer.receive(each.rank(partner(level->further(step), index)), {area});
      }
      sum = sum_of(arrived, static_cast<std::size_t>(level->mine), writer);
    }
    writer.copy({sum}, {each.part});
  }
}

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = leaders_or_default(request, parameters);
  const auto routes = [&](Direction direction) {
    return routes_over_trees(trees, request, parameters, rank, direction);
  };
  reduce_along(routes(Direction::up), request, parameters, {.own_in_output = request.in_place, .has_output = true},
               writer);
  std::vector<PartOfLeaders> led;
  std::int64_t largest = 0;
  for (const Share& share : shares_over_trees(trees, request, parameters)) {
    largest = std::max(largest, share.count);
    const RankTree& tree = trees.tree(share.tree);
    PartOfLeaders part{{Buffer::output, share.offset, share.count}, tree.roots(), tree.root_index(rank)};
    if (part.own < part.size()) led.push_back(std::move(part));
  }
  allreduce_among_leaders(led, largest, request, parameters.radix_or(leaders_radix), writer);
  bcast_along(routes(Direction::down), parameters, writer);
}

}  // namespace

const Algorithm allreduce_leaders{
    .name = "leaders",
    .operation = Operation::allreduce,
    .summary = "leaders of clusters exchange what these have combined: long links once",
    .write = write,
    .uses = {Parameter::segment_bytes},
    .period = period_of_trees,
    .radix = leaders_radix,
    .mapped = Mapped::sets_of_leaders,
    .needs_commutative = true,
};

}  // namespace tombolo
