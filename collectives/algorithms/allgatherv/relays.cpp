// An allgather by leader forwarding: each part of a block is sent once to every other cluster, where one of several
// leaders forwards it to the other ranks.

#include <algorithm>
#include <tuple>

#include <tombolo/collectives/algorithms/allgatherv/allgather.hpp>
#include <tombolo/collectives/algorithms/allgatherv/relayed.hpp>
#include <tombolo/collectives/algorithms/common/channel_set.hpp>
#include <tombolo/collectives/algorithms/common/mapped_routes.hpp>
#include <tombolo/collectives/algorithms/common/segments.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

namespace {

// A segment of a block, with the rank's role for it.
struct Part {
  int owner;
  std::int64_t turn;  // index of the segment in its block
  BufferRange piece;  // in the result
  Relayed::Way way;
};

std::vector<Part> parts_of(const Request& request, const Parameters& parameters, const NestedGroups& groups,
                           int place) {
  const Relayed relayed(groups, request.blocks);
  std::vector<Part> parts;
  for (int owner = 0; owner < groups.size(); ++owner) {
    const Rank rank = groups.rank(owner);
    const BufferRange block{Buffer::output, request.blocks.offset(rank), request.blocks.count(rank)};
    std::int64_t turn = 0;
    for (const BufferRange& piece : segments(block, request.element_bytes, parameters.segment_bytes)) {
      parts.push_back({owner, turn++, piece, relayed.way(owner, piece.offset - block.offset, piece.count, place)});
    }
  }
  // Segments from distant ranks arrive late; the first segments of all blocks precede the second ones.
  std::stable_sort(parts.begin(), parts.end(), [&](const Part& a, const Part& b) {
    return std::tuple(-groups.common_level(a.owner, place), a.turn) <
           std::tuple(-groups.common_level(b.owner, place), b.turn);
  });
  return parts;
}

// Messages from owners precede those from leaders, which keeps the same order at both ends of a link. Parts from one
// sender arrive at a leader in that order, parts from different senders do not; therefore parts are forwarded over one
// channel per sender.
void write_relays(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const NestedGroups groups = groups_or_default(request, parameters);
  const int place = groups.place(rank);
  const BufferRange result{Buffer::output, request.blocks.offset(rank), request.blocks.count(rank)};
  const BufferRange own = request.in_place ? result : BufferRange{Buffer::input, 0, result.count};
  const std::vector<Part> parts = parts_of(request, parameters, groups, place);
  ChannelSet near = ChannelSet::with_children(writer, parameters);
  const auto pass_on = [&](const Part& part, const BufferRange& piece) {
    const Rank from = part.owner == place ? rank : groups.rank(part.way.from);
    for (const int to : part.way.far) writer.send(groups.rank(to), {piece});
    for (const int to : part.way.near) writer.send(groups.rank(to), {piece}, {.channel = near.channel(from)});
  };
  for (const Part& part : parts) {
    if (part.owner == place) {
      pass_on(part, {own.buffer, own.offset + part.piece.offset - result.offset, part.piece.count});
    } else if (part.way.from == part.owner) {
      writer.receive(groups.rank(part.owner), {part.piece});
    }
  }
  for (const Part& part : parts) {
    if (part.owner == place) continue;
    if (part.way.from != part.owner) writer.receive(groups.rank(part.way.from), {part.piece});
    pass_on(part, part.piece);
  }
  writer.copy({own}, {result});
}

}  // namespace

const Algorithm allgatherv_relays{
    .name = "relays",
    .operation = Operation::allgatherv,
    .summary =
        "blocks cross once to each cluster, where relays for equal shares spread what still arrives, in segments",
    .write = write_relays,
    .uses = {Parameter::segment_bytes},
    .period = period_of_blocks,
    .mapped = Mapped::nested_groups,
};

}  // namespace tombolo
