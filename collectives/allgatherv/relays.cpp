#include <algorithm>
#include <tuple>

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/allgatherv/allgather.hpp>
#include <tombolo/collectives/lane_set.hpp>
#include <tombolo/collectives/mapped_routes.hpp>
#include <tombolo/collectives/relayed.hpp>
#include <tombolo/collectives/segments.hpp>

namespace tombolo {

namespace {

// A segment of somebody's block, and what the rank does with it.
struct Part {
  int owner;
  std::int64_t turn;  // which segment of the block it is
  Piece piece;        // in the result
  Relayed::Way way;
};

std::vector<Part> parts_of(const Request& request, const Parameters& parameters, const LevelGroups& groups, int place) {
  const Relayed relayed(groups, request.blocks);
  std::vector<Part> parts;
  for (int owner = 0; owner < groups.size(); ++owner) {
    const Rank rank = groups.rank(owner);
    const Piece block{Buffer::output, request.blocks.offset(rank), request.blocks.count(rank)};
    std::int64_t turn = 0;
    for (const Piece& piece : segments(block, request.element_bytes, parameters.segment_bytes)) {
      parts.push_back({owner, turn++, piece, relayed.way(owner, piece.offset - block.offset, piece.count, place)});
    }
  }
  // What comes from far comes late; the first segments of all blocks before the second ones.
  std::stable_sort(parts.begin(), parts.end(), [&](const Part& a, const Part& b) {
    return std::tuple(-groups.common_level(a.owner, place), a.turn) <
           std::tuple(-groups.common_level(b.owner, place), b.turn);
  });
  return parts;
}

// What goes from its owner comes first, then what relays pass on: both ends of a message list it so. What one rank
// sends a relay comes in that order, what several send does not, so that there is a lane for the parts from each.
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const LevelGroups groups(trees_or_several_tops(request, parameters));
  const int place = groups.place(rank);
  const Piece result{Buffer::output, request.blocks.offset(rank), request.blocks.count(rank)};
  const Piece own = request.in_place ? result : Piece{Buffer::input, 0, result.count};
  const std::vector<Part> parts = parts_of(request, parameters, groups, place);
  LaneSet near = LaneSet::with_children(writer, parameters);
  const auto pass_on = [&](const Part& part, const Piece& piece) {
    const Rank from = part.owner == place ? rank : groups.rank(part.way.from);
    for (const int to : part.way.far) writer.send(groups.rank(to), {piece});
    for (const int to : part.way.near) writer.send(groups.rank(to), {piece}, {.lane = near.lane(from)});
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
    .write = write,
    .segments = true,
    .period = period_of_blocks,
    .mapped = true,
    .several_trees = true,
    .several_tops = true,
};

}  // namespace tombolo
