#include <algorithm>

#include <tombolo/collectives/algorithms/allgatherv/allgather.hpp>

namespace tombolo {

namespace {

void append(BufferRanges& pieces, const BufferRanges& more) {
  pieces.insert(pieces.end(), more.begin(), more.end());
}

}  // namespace

BufferRanges Allgather::from(const Group& group) const {
  const int before = (place - group.first + size()) % size();  // members of the group before the own block
  if (before >= group.size) return blocks.blocks(group, Buffer::output);
  const int next = (place + 1) % size();
  BufferRanges pieces = blocks.blocks({group.first, before}, Buffer::output);
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

BufferRanges Allgather::from(const std::vector<Group>& groups) const {
  BufferRanges pieces;
  for (const Group& group : groups) append(pieces, from(group));
  return pieces;
}

BufferRanges Allgather::into(const std::vector<Group>& groups) const {
  BufferRanges pieces;
  for (const Group& group : groups) append(pieces, into(group));
  return pieces;
}

}  // namespace tombolo
