#include <algorithm>

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/lane_set.hpp>
#include <tombolo/collectives/mapped_routes.hpp>
#include <tombolo/collectives/reduce_scatter/groups_in_order.hpp>
#include <tombolo/collectives/reduce_scatter/in_rotation.hpp>
#include <tombolo/collectives/reduce_scatter/own_sum.hpp>
#include <tombolo/collectives/scratch_limit.hpp>

namespace tombolo {

namespace {

using Part = RelayedSums::Part;

LevelGroups groups_for(const Request& request, const Parameters& parameters) {
  LevelGroups groups(trees_or_several_tops(request, parameters));
  return request.commutative ? groups : groups_in_order(groups);
}

std::int64_t elements_of_segment(const Request& request, const Parameters& parameters) {
  if (parameters.segment_bytes == 0) return 0;
  return std::max<std::int64_t>(parameters.segment_bytes / std::max<Bytes>(request.element_bytes, 1), 1);
}

// What fits into the scratch of every rank: all must decide alike.
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
  /// Where an owner may have to wait for room, nothing may have to wait behind a message to it: then there are no
  /// lanes.
  Relaying(const SummingPlace& at, bool lanes, ScheduleWriter& writer)
      : at_(at), window_(lanes ? at.parameters.window : 0), writer_(writer) {}

  // A lane holds back only what is there from the beginning.
  void relay(int level) {
    const Group& group = at_.groups.group(level, at_.place);
    const std::int64_t turns = at_.relayed.turns(level, group);
    if (turns == 0) return;
    const std::vector<Task> all = tasks(level, group);
    LaneSet lanes(writer_, window_, at_.parameters.lanes);
    for (std::int64_t turn = 0; turn < turns; ++turn) {
      for (const Task& task : all) {
        const std::vector<Part> parts = at_.relayed.slice(level, group, task.relay, turn);
        if (parts.empty()) continue;
        const Pieces own = contribution(parts);
        const auto& [from, to] = task.role;
        if (task.only_sends()) {
          const Rank rank = at_.groups.rank(to);
          writer_.send(rank, own, {.lane = lanes.lane(rank)});
        } else if (from.empty()) {
          for (std::size_t i = 0; i < parts.size(); ++i) writer_.send(at_.groups.rank(parts[i].place), {own[i]});
        } else {
          const Piece sum = sum_of(own, from);
          to >= 0 ? static_cast<void>(writer_.send(at_.groups.rank(to), {sum})) : hand_over(parts, sum);
        }
      }
    }
  }

  void send_near() {
    const Group& near = at_.nearest();
    LaneSet lanes(writer_, window_, at_.parameters.lanes);
    for (int step = 1; step < near.size; ++step) {
      const int owner = near.first + (at_.place - near.first + step) % near.size;
      const Rank rank = at_.groups.rank(owner);
      for (const Piece& part : at_.segments_of(owner)) writer_.send(rank, {part}, {.lane = lanes.lane(rank)});
    }
  }

 private:
  // What the place has to do with the bundle of one relay of its group.
  struct Task {
    int relay = 0;
    RelayedSums::Role role{};
    bool only_sends() const { return role.from.empty() && role.to >= 0; }
  };

  // What others relay comes first, so that they can, from the next one on. One that sums several bundles up gets them
  // in an order on which all that send it some agree: that from the end of a group that they are all in.
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
    std::stable_sort(all.begin(), all.end(), [&](const Task& a, const Task& b) { return turn(a) < turn(b); });
    return all;
  }

  Pieces contribution(const std::vector<Part>& parts) const {
    Pieces pieces;
    for (const Part& part : parts) {
      const Piece block = at_.block_of(part.place);
      pieces.push_back({block.buffer, block.offset + part.offset, part.count});
    }
    return pieces;
  }

  Piece new_area(std::int64_t count) { return {Buffer::scratch, writer_.scratch(count), count}; }

  // All that comes has its own place. In descending order where operands must keep theirs: what is added stands to the
  // left of what is there.
  Piece sum_of(const Pieces& own, std::vector<int> sources) {
    const std::int64_t count = elements(own);
    sources.insert(sources.begin() + 1, at_.place);
    if (!at_.request.commutative) std::sort(sources.rbegin(), sources.rend());
    const Piece sum = new_area(count);
    for (const int source : sources) {
      const bool is_first = source == sources.front();
      if (source == at_.place) {
        is_first ? writer_.copy(own, {sum}) : writer_.reduce(own, {sum});
        continue;
      }
      const Piece arrived = is_first ? sum : new_area(count);
      writer_.receive(at_.groups.rank(source), {arrived});
      if (!is_first) writer_.reduce({arrived}, {sum});
    }
    return sum;
  }

  void hand_over(const std::vector<Part>& parts, Piece sum) {
    for (const Part& part : parts) {
      writer_.send(at_.groups.rank(part.place), {{sum.buffer, sum.offset, part.count}});
      sum.offset += part.count;
    }
  }

  const SummingPlace& at_;
  int window_;
  ScheduleWriter& writer_;
};

// What goes far comes before what stays near, so that both ends of a message list it so.
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const LevelGroups groups = groups_for(request, parameters);
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
    .write = write,
    .segments = true,
    .mapped = true,
    .several_trees = true,
    .several_tops = true,
};

}  // namespace tombolo
