#include <algorithm>

#include <tombolo/collectives/reduce_scatter/reduce_scatter.hpp>

namespace tombolo {

namespace {

// What a place has combined so far: first its own vector, later the part of its group, at the beginning of its scratch.
class Partial {
 public:
  Partial(const ReduceScatter& all, ScratchRoom& room) : all_(all), room_(room), group_{0, all.size()} {}

  bool is_own() const { return own_; }
  void move_to_scratch(const Group& group) {
    own_ = false;
    group_ = group;
  }
  Pieces of(const Group& part) const {
    if (own_) return all_.blocks.blocks(part, all_.source);
    const std::int64_t before = all_.blocks.elements({group_.first, part.first - group_.first});
    return {room_.at(before, all_.blocks.elements(part))};
  }
  /// Elements of scratch that it takes.
  std::int64_t size() const { return own_ ? 0 : all_.blocks.elements(group_); }

 private:
  const ReduceScatter& all_;
  ScratchRoom& room_;
  Group group_;
  bool own_ = true;
};

}  // namespace

Piece reduce_scatter_over_groups(const ReduceScatter& all, int radix, ScratchRoom& room, ScheduleWriter& writer) {
  Partial partial(all, room);
  for (const GroupLevel& level : nested_groups(all.size(), radix, all.place)) {
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
        // As many of the others as there is room for have a place of their own, where they can arrive at any time.
        const std::int64_t slots = std::max<std::int64_t>(1, (all.scratch_limit - partial.size()) / count);
        const Piece slot = room.at(partial.size() + arrived++ % slots * count, count);
        writer.receive(all.rank(source), {slot});
        writer.reduce({slot}, partial.of(own));
      }
    }
  }
  const Pieces mine = partial.of({all.place, 1});
  return mine.empty() ? Piece{} : mine.front();
}

}  // namespace tombolo
