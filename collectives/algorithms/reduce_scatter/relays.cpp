// Reduce_scatter by leader forwarding: each cluster sums up the blocks of other owners, with its ranks as leaders for
// equal shares, so that each sum crosses a long link once (relayed_sums.hpp).

#include <algorithm>
#include <utility>

#include <tombolo/collectives/algorithms/common/channel_set.hpp>
#include <tombolo/collectives/algorithms/common/segments.hpp>
#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/algorithms/reduce_scatter/reduce_scatter.hpp>
#include <tombolo/collectives/algorithms/reduce_scatter/relayed_sums.hpp>
#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

namespace {

// One virtual rank's part of a reduce_scatter by leader forwarding.
struct SummingPlace {
  const Request& request;
  const Parameters& parameters;
  const NestedGroups& groups;
  const RelayedSums& relayed;
  int place = 0;
  std::int64_t scratch_limit = 0;  // elements

  // The own contribution to the block of an owner.
  BufferRange block_of(int owner) const {
    const Rank rank = groups.rank(owner);
    return {request.in_place ? Buffer::output : Buffer::input, request.blocks.offset(rank), request.blocks.count(rank)};
  }
  const Group& nearest() const { return groups.group(groups.levels() - 1, place); }
  // The own contribution in segments, for direct messages within a smallest group.
  BufferRanges segments_of(int owner) const {
    return segments(block_of(owner), request.element_bytes, parameters.segment_bytes);
  }
};

using Part = RelayedSums::Part;

// The contributions of one rank of the smallest group or of one other group; the own contribution has no parts.
struct Layer {
  int place = 0;  // any virtual rank of the group
  std::vector<Part> parts{};
};

// Cyclic allocation of scratch, one message after another.
class Ring {
 public:
  Ring(std::int64_t begin, std::int64_t size) : begin_(begin), size_(size) {}
  BufferRange next(std::int64_t count) {
    if (at_ + count > size_) at_ = 0;
    return {Buffer::scratch, begin_ + std::exchange(at_, at_ + count), count};
  }

 private:
  std::int64_t begin_;
  std::int64_t size_;
  std::int64_t at_ = 0;
};

// The order of summation. Commutative operands: the smallest group first, whose contributions arrive first. Otherwise
// descending order, since each layer is the left operand of the sum so far.
std::vector<Layer> layers_of(const SummingPlace& at) {
  std::vector<Layer> all;
  const Group& near = at.nearest();
  const std::int64_t begin = at.block_of(at.place).offset;
  for (int step = 1; step < near.size; ++step) {
    const int from = near.first + (at.place - near.first + near.size - step) % near.size;
    Layer layer{from};
    for (const BufferRange& part : at.segments_of(at.place))
      layer.parts.push_back({from, part.offset - begin, part.count});
    all.push_back(std::move(layer));
  }
  for (int level = at.groups.levels() - 1; level > 0; --level) {
    for (const Group& from : at.relayed.others(level, at.groups.group(level, at.place))) {
      all.push_back({from.first, at.relayed.arriving(level, from, at.place)});
    }
  }
  all.insert(all.begin() + (all.empty() ? 0 : 1), Layer{at.place});
  if (!at.request.commutative) {
    std::ranges::sort(all, std::greater(), &Layer::place);
  }
  return all;
}

// Writes the sum of the own block, from the own contribution, the contributions of the smallest group and the sums from
// leaders of other groups, in the remaining scratch. Operands that do not commute keep their order.
void write_own_sum(const SummingPlace& at, ScheduleWriter& writer) {
  const BufferRange own = at.block_of(at.place);
  if (own.count == 0) return;
  const BufferRange result{Buffer::output, 0, own.count};
  const BufferRange sum =
      at.request.in_place ? BufferRange{Buffer::scratch, writer.scratch(own.count), own.count} : result;
  const std::vector<Layer> layers = layers_of(at);
  // The first layer is received directly into the sum.
  const auto later = static_cast<std::int64_t>(layers.size()) - 1 - (layers.front().place == at.place ? 0 : 1);
  const std::int64_t left = at.scratch_limit - writer.scratch(0);
  const std::int64_t room = later <= 0 ? 0 : left / later >= own.count ? later * own.count : left;
  Ring ring(writer.scratch(room), room);
  for (const Layer& layer : layers) {
    const bool is_first = &layer == &layers.front();
    if (layer.place == at.place) is_first ? writer.copy({own}, {sum}) : writer.reduce({own}, {sum});
    for (const Part& part : layer.parts) {
      const BufferRange there{sum.buffer, sum.offset + part.offset, part.count};
      const BufferRange arrived = is_first ? there : ring.next(part.count);
      writer.receive(at.groups.rank(part.place), {arrived});
      if (!is_first) writer.reduce({arrived}, {there});
    }
  }
  writer.copy({sum}, {result});
}

NestedGroups groups_for(const Request& request, const Parameters& parameters) {
  const NestedGroups groups = groups_or_default(request, parameters);
  return request.commutative ? groups : groups_in_order(groups);
}

std::int64_t elements_of_segment(const Request& request, const Parameters& parameters) {
  if (parameters.segment_bytes == 0) return 0;
  return std::max<std::int64_t>(parameters.segment_bytes / std::max<Bytes>(request.element_bytes, 1), 1);
}

// The parts of the algorithm that fit into the scratch of every rank; equal on all ranks.
struct Room {
  bool for_relays = true;
  bool for_all = true;
};

Room room_of(const SummingPlace& at) {
  Room room;
  for (int place = 0; place < at.groups.size(); ++place) {
    const std::int64_t count = at.relayed.count(place);
    const std::int64_t left = at.scratch_limit - (at.request.in_place ? count : 0) - at.relayed.most_relayed(place);
    room.for_relays = room.for_relays && left >= count;
    room.for_all = room.for_all && (count == 0 || left / count >= at.relayed.sums(place));
  }
  return room;
}

class Relaying {
 public:
  // Without room for all sums, an owner may delay messages; another message of the same channel could then be blocked
  // behind one to that owner, so `channels` is false and no channels are used.
  Relaying(const SummingPlace& at, bool channels, ScheduleWriter& writer)
      : at_(at), window_(channels ? at.parameters.window : 0), writer_(writer) {}

  // Channels only carry messages that can be sent from the beginning.
  void relay(int level) {
    const Group& group = at_.groups.group(level, at_.place);
    const std::int64_t turns = at_.relayed.turns(level, group);
    if (turns == 0) return;
    const std::vector<Task> all = tasks(level, group);
    ChannelSet channels(writer_, window_, at_.parameters.channels);
    for (std::int64_t turn = 0; turn < turns; ++turn) {
      for (const Task& task : all) {
        const std::vector<Part> parts = at_.relayed.slice(level, group, task.relay, turn);
        if (parts.empty()) continue;
        const BufferRanges own = contribution(parts);
        const auto& [from, to] = task.role;
        if (task.only_sends()) {
          const Rank rank = at_.groups.rank(to);
          writer_.send(rank, own, {.channel = channels.channel(rank)});
        } else if (from.empty()) {
          for (std::size_t i = 0; i < parts.size(); ++i) writer_.send(at_.groups.rank(parts[i].place), {own[i]});
        } else {
          const BufferRange sum = sum_of(own, from);
          to >= 0 ? static_cast<void>(writer_.send(at_.groups.rank(to), {sum})) : hand_over(parts, sum);
        }
      }
    }
  }

  void send_near() {
    const Group& near = at_.nearest();
    ChannelSet channels(writer_, window_, at_.parameters.channels);
    for (int step = 1; step < near.size; ++step) {
      const int owner = near.first + (at_.place - near.first + step) % near.size;
      const Rank rank = at_.groups.rank(owner);
      for (const BufferRange& part : at_.segments_of(owner))
        writer_.send(rank, {part}, {.channel = channels.channel(rank)});
    }
  }

 private:
  // The role of this virtual rank for the bundle of one leader of its group.
  struct Task {
    int relay = 0;
    RelayedSums::Role role{};
    bool only_sends() const { return role.from.empty() && role.to >= 0; }
  };

  // The order of bundles: other leaders' bundles first, from the next leader on, so that these leaders need not wait. A
  // rank that sums up several bundles must receive them in an order known to all senders: from the end of a group that
  // contains all of them.
  std::vector<Task> tasks(int level, const Group& group) const {
    const int inner = std::min(level + 1, at_.groups.levels() - 1);
    std::vector<Task> all;
    for (int step = 0; step < group.size; ++step) {
      const int relay = (at_.groups.group(inner, at_.place).end() - group.first + step) % group.size;
      all.push_back({relay, at_.relayed.role(level, group, relay, at_.place)});
    }
    const int size = at_.groups.size();
    const auto turn = [&](const Task& task) {
      return task.only_sends() ? (task.role.to - at_.place + size) % size : size;
    };
    std::ranges::stable_sort(all, [&](const Task& a, const Task& b) { return turn(a) < turn(b); });
    return all;
  }

  BufferRanges contribution(const std::vector<Part>& parts) const {
    BufferRanges pieces;
    for (const Part& part : parts) {
      const BufferRange block = at_.block_of(part.place);
      pieces.push_back({block.buffer, block.offset + part.offset, part.count});
    }
    return pieces;
  }

  BufferRange new_area(std::int64_t count) { return {Buffer::scratch, writer_.scratch(count), count}; }

  // Every arriving sum has its own scratch. Operands that do not commute are taken in descending order, since each one
  // is the left operand of the sum so far.
  BufferRange sum_of(const BufferRanges& own, std::vector<int> sources) {
    const std::int64_t count = elements(own);
    sources.insert(sources.begin() + 1, at_.place);
    if (!at_.request.commutative) std::sort(sources.rbegin(), sources.rend());
    const BufferRange sum = new_area(count);
    for (const int source : sources) {
      const bool is_first = source == sources.front();
      if (source == at_.place) {
        is_first ? writer_.copy(own, {sum}) : writer_.reduce(own, {sum});
        continue;
      }
      const BufferRange arrived = is_first ? sum : new_area(count);
      writer_.receive(at_.groups.rank(source), {arrived});
      if (!is_first) writer_.reduce({arrived}, {sum});
    }
    return sum;
  }

  void hand_over(const std::vector<Part>& parts, BufferRange sum) {
    for (const Part& part : parts) {
      writer_.send(at_.groups.rank(part.place), {{sum.buffer, sum.offset, part.count}});
      sum.offset += part.count;
    }
  }

  const SummingPlace& at_;
  int window_;
  ScheduleWriter& writer_;
};

// Messages between groups precede those within the smallest group, which keeps the same order at both ends of a link.
void write_relays(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const NestedGroups groups = groups_for(request, parameters);
  const RelayedSums relayed(groups, request.blocks, elements_of_segment(request, parameters));
  const SummingPlace at{.request = request,
                        .parameters = parameters,
                        .groups = groups,
                        .relayed = relayed,
                        .place = groups.place(rank),
                        .scratch_limit = combining_scratch_limit(request.blocks.total(), request.element_bytes)};
  const Room room = room_of(at);
  if (!room.for_relays) {
    reduce_scatter_in_rotation(request, parameters, rank, false, writer);
    return;
  }
  Relaying relaying(at, room.for_all, writer);
  for (int level = 1; level < groups.levels(); ++level) relaying.relay(level);
  relaying.send_near();
  write_own_sum(at, writer);
}

}  // namespace

const Algorithm reduce_scatter_relays{
    .name = "relays",
    .operation = Operation::reduce_scatter,
    .summary = "clusters sum up what others own, their ranks relaying equal shares: long links once, in segments",
    .write = write_relays,
    .uses = {Parameter::segment_bytes},
    .in_a_row = [](const Request&,
                   const Parameters& parameters) { return parameters.groups.empty() ? 1 : parameters.groups.levels(); },
    .mapped = Mapped::nested_groups,
};

}  // namespace tombolo
