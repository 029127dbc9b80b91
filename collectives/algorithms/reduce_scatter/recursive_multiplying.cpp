// Reduce_scatters by recursive halving and by recursive multiplying, its generalization to any radix; the mirror of
// allgatherv's recursive multiplying.

#include <algorithm>

#include <tombolo/collectives/algorithms/reduce_scatter/reduce_scatter.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 4;

// The partial sum of a rank: initially its own vector, later its group's part of the sum, at the beginning of scratch.
class Partial {
 public:
  Partial(const ReduceScatter& all, ScratchRoom& room) : all_(all), room_(room), group_{0, all.size()} {}

  bool is_own() const { return own_; }
  void move_to_scratch(const Group& group) {
    own_ = false;
    group_ = group;
  }
  BufferRanges of(const Group& part) const {
    if (own_) return all_.blocks.blocks(part, all_.source);
    const std::int64_t before = all_.blocks.elements({group_.first, part.first - group_.first});
    return {room_.at(before, all_.blocks.elements(part))};
  }
  // Elements of scratch in use.
  std::int64_t size() const { return own_ ? 0 : all_.blocks.elements(group_); }

 private:
  const ReduceScatter& all_;
  ScratchRoom& room_;
  Group group_;
  bool own_ = true;
};

// With a fixed radix, or 0 for that of the parameters.
template <int fixed>
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const int radix = fixed > 0 ? fixed : parameters.radix_or(usual_radix);
  write_reduce_scatter(request, parameters, rank, writer, [&](const ReduceScatter& all, const BufferRange*) {
    ScratchRoom room(writer);
    return reduce_scatter_over_groups(all, radix, room, writer);
  });
}

}  // namespace

BufferRange reduce_scatter_over_groups(const ReduceScatter& all, int radix, ScratchRoom& room, ScheduleWriter& writer) {
  Partial partial(all, room);
  for (const GroupLevel& level : radix_groups(all.size(), radix, all.place)) {
    const Group& own = level.own();
    const int index = all.place - own.first;
    const std::int64_t count = all.blocks.elements(own);
    const Partial before = partial;
    std::int64_t arrived = 0;
    for (int step = 1; step < level.count(); ++step) {
      const Group& target = level.further(step);
      writer.send(all.rank(partner(target, index)), before.of(target));
      if (count == 0) continue;
      for (const int source : partnered(own, index, level.further(-step))) {
        if (partial.is_own()) {
          partial.move_to_scratch(own);
          writer.receive(all.rank(source), partial.of(own));
          writer.reduce(before.of(own), partial.of(own));
          continue;
        }
        // The other messages get separate slots as far as scratch has room, and can then arrive at any time.
        const std::int64_t slots = std::max<std::int64_t>(1, (all.scratch_limit - partial.size()) / count);
        const BufferRange slot = room.at(partial.size() + arrived++ % slots * count, count);
        writer.receive(all.rank(source), {slot});
        writer.reduce({slot}, partial.of(own));
      }
    }
  }
  const BufferRanges mine = partial.of({all.place, 1});
  return mine.empty() ? BufferRange{} : mine.front();
}

const Algorithm reduce_scatter_recursive_halving{
    .name = "recursive_halving",
    .operation = Operation::reduce_scatter,
    .summary = "halves of the ranks exchange halves of the vector, then halves of these; ceil(log2(ranks)) rounds",
    .write = write<2>,
    .near = NearRanks::far_apart,
    .needs_commutative = true,
};

const Algorithm reduce_scatter_recursive_multiplying{
    .name = "exchange",
    .operation = Operation::reduce_scatter,
    .summary = "`radix` groups of ranks exchange their parts of the vector, then groups of these; fewer rounds",
    .write = write<0>,
    .near = NearRanks::far_apart,
    .radix = usual_radix,
    .needs_commutative = true,
};

}  // namespace tombolo
