// An allgather by leader forwarding: each part of a block is sent once to every other cluster, where one of several
// leaders forwards it to the other ranks.

#include <algorithm>
#include <tuple>

#include <tombolo/collectives/algorithms/allgatherv/allgather.hpp>
#include <tombolo/collectives/algorithms/allgatherv/relays.hpp>
#include <tombolo/collectives/algorithms/common/channel_set.hpp>
#include <tombolo/collectives/algorithms/common/segments.hpp>
#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr int fraction_bits = 32;

std::uint64_t begin_of(const Group& group) {
  return static_cast<std::uint64_t>(group.first) << fraction_bits;
}

// The position in a group of the leader for a fraction of another group's elements; `shift` is the index of the other
// group.
std::uint64_t position(const Group& group, std::uint64_t fraction, int shift) {
  const auto size = static_cast<std::uint64_t>(group.size);
  const std::uint64_t shifted = fraction * size + (static_cast<std::uint64_t>(shift) << fraction_bits);
  return begin_of(group) + shifted % (size << fraction_bits);
}

int place_at(std::uint64_t position) {
  return static_cast<int>(position >> fraction_bits);
}

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
  std::ranges::stable_sort(parts, [&](const Part& a, const Part& b) {
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

Relayed::Relayed(const NestedGroups& groups, const Blocks& blocks) : groups_(groups), before_{0} {
  for (int place = 0; place < groups.size(); ++place) {
    before_.push_back(before_.back() + blocks.count(groups.rank(place)));
  }
}

Relayed::Fixed Relayed::within(const Group& group, int owner, std::int64_t offset, std::int64_t count) const {
  const std::int64_t first = before_[static_cast<std::size_t>(group.first)];
  const std::int64_t all = before_[static_cast<std::size_t>(group.end())] - first;
  // The middle of the part: its ends could be rounded in either direction.
  const std::int64_t middle = 2 * (before_[static_cast<std::size_t>(owner)] - first + offset) + count;
  return static_cast<Fixed>((static_cast<UnsignedWide>(middle) << fraction_bits) / static_cast<UnsignedWide>(2 * all));
}

Relayed::Way Relayed::way(int owner, std::int64_t offset, std::int64_t count, int place) const {
  Way way;
  int entry = owner;  // the first virtual rank of the current group with the part
  Fixed at = 0;       // its position, once the part has left the owner's group
  for (int level = 1; level < groups_.levels(); ++level) {
    const Group& whole = groups_.group(level - 1, place);
    const Group& own = groups_.group(level, place);
    const Group& has = groups_.group(level, entry);
    const int shift = groups_.index(level, entry);
    const auto fraction = [&] {
      return entry == owner ? within(has, owner, offset, count) : (at - begin_of(has)) / static_cast<Fixed>(has.size);
    };
    if (!(own == has)) {
      at = position(own, fraction(), shift);
      if (place_at(at) == place) way.from = entry;
      entry = place_at(at);
    } else if (entry == place) {
      // From the next group on, so that no group is the first target of all.
      const auto after = [&](const Group& group) { return group.end() == whole.end() ? whole.first : group.end(); };
      for (int next = after(own); next != own.first; next = after(groups_.group(level, next))) {
        way.far.push_back(place_at(position(groups_.group(level, next), fraction(), shift)));
      }
    }
  }
  if (entry != place) {
    way.from = entry;
    return way;
  }
  // From the next virtual rank on, so that no rank is the first target of all.
  const Group& nearest = groups_.group(groups_.levels() - 1, place);
  for (int step = 1; step < nearest.size; ++step) {
    way.near.push_back(nearest.first + (place - nearest.first + step) % nearest.size);
  }
  return way;
}

const Algorithm allgatherv_relays{
    .name = "relays",
    .operation = Operation::allgatherv,
    .summary =
        "blocks cross once to each cluster, where relays for equal shares spread what still arrives, in segments",
    .write = write_relays,
    .uses = {Parameter::segment_bytes},
    .period = period_of_blocks,
    .in_a_row = [](const Request&,
                   const Parameters& parameters) { return parameters.groups.empty() ? 1 : parameters.groups.levels(); },
    .mapped = Mapped::nested_groups,
};

}  // namespace tombolo
