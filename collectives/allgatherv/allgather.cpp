#include <algorithm>

#include <tombolo/collectives/allgatherv/allgather.hpp>
#include <tombolo/collectives/segments.hpp>

namespace tombolo {

namespace {

void append(Pieces& pieces, const Pieces& more) {
  pieces.insert(pieces.end(), more.begin(), more.end());
}

}  // namespace

Pieces Allgather::from(const Group& group) const {
  const int before = (place - group.first + size()) % size();  // how many of the group precede the own block
  if (before >= group.size) return blocks.blocks(group, Buffer::output);
  const int next = (place + 1) % size();
  Pieces pieces = blocks.blocks({group.first, before}, Buffer::output);
  pieces.push_back(own);
  append(pieces, blocks.blocks({next, group.size - before - 1}, Buffer::output));
  return pieces;
}

std::vector<Group> Allgather::lacking(int at, const Group& group) const {
  const Group has = held_by(at);
  const int until = std::clamp(has.first, group.first, group.end());
  const int again = std::clamp(has.end(), group.first, group.end());
  return {{group.first, until - group.first}, {again, group.end() - again}};
}

Pieces Allgather::from(const std::vector<Group>& groups) const {
  Pieces pieces;
  for (const Group& group : groups) append(pieces, from(group));
  return pieces;
}

Pieces Allgather::into(const std::vector<Group>& groups) const {
  Pieces pieces;
  for (const Group& group : groups) append(pieces, into(group));
  return pieces;
}

void allgather_over_ring(const Allgather& all, Bytes element_bytes, const Parameters& parameters,
                         ScheduleWriter& writer) {
  if (all.size() == 1) return;
  const bool flows = parameters.segment_bytes > 0;
  const int out = flows ? writer.lane(parameters.window) : 0;
  const int in = flows ? writer.lane(parameters.window) : 0;
  const Rank next = all.rank(all.further(1));
  const Rank previous = all.rank(all.further(-1));
  const Group next_has = all.held_by(all.further(1));
  const Group has = all.held_by(all.place);
  const auto lies_in = [](int place, const Group& group) { return place >= group.first && place < group.end(); };
  const auto block = [&all](int place) {
    return place == all.place ? all.own : all.blocks.block(place, Buffer::output);
  };
  for (int step = 1; step < all.size(); ++step) {
    const int sent = all.further(1 - step);
    const int arriving = all.further(-step);
    if (!lies_in(sent, next_has)) {
      for (const Piece& part : segments(block(sent), element_bytes, parameters.segment_bytes)) {
        writer.send(next, {part}, {.lane = out});
      }
    }
    if (!lies_in(arriving, has)) {
      for (const Piece& part : segments(block(arriving), element_bytes, parameters.segment_bytes)) {
        writer.receive(previous, {part}, {.lane = in});
      }
    }
  }
}

void allgather_over_groups(const Allgather& all, int radix, ScheduleWriter& writer) {
  const std::vector<GroupLevel> levels = nested_groups(all.size(), radix, all.place);
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const Group& own = level->own();
    const int index = all.place - own.first;
    for (int step = 1; step < level->count(); ++step) {
      const Group& source = level->further(-step);
      writer.receive(all.rank(partner(source, index)), all.into(all.lacking(all.place, source)));
      for (const int target : partnered(own, index, level->further(step))) {
        writer.send(all.rank(target), all.from(all.lacking(target, own)));
      }
    }
  }
}

}  // namespace tombolo
