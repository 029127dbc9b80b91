#pragma once

#include <functional>
#include <vector>

#include <tombolo/collectives/algorithms/common/placed_blocks.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/plan/schedule_writer.hpp>

namespace tombolo {

/// One virtual rank's part of an allgather, after which all ranks have all blocks, each at its position in
/// Buffer::output. Used by allgatherv and by the second halves of broadcasts and allreduces.
struct Allgather {
  const PlacedBlocks& blocks;
  int place = 0;
  BufferRange own{};  ///< initial position of the own block
  /// The blocks that a virtual rank has in its output initially: consecutive ones, its own first. Null: its own only.
  std::function<Group(int)> held = nullptr;

  int size() const { return blocks.size(); }
  Rank rank(int other) const { return blocks.rank(other); }
  /// The virtual rank `steps` further on in the ring; negative steps go back.
  int further(int steps) const { return (place + steps + size()) % size(); }
  /// Buffer ranges to send: the own block from its initial position, the others from the output.
  BufferRanges from(const Group& group) const;
  BufferRanges into(const Group& group) const { return blocks.blocks(group, Buffer::output); }
  Group held_by(int at) const { return held ? held(at) : Group{at, 1}; }
  /// The blocks of a group that a virtual rank lacks initially: at most two groups. `group` does not wrap around.
  std::vector<Group> lacking(int at, const Group& group) const;
  BufferRanges from(const std::vector<Group>& groups) const;
  BufferRanges into(const std::vector<Group>& groups) const;
};

/// Ring allgather: each block travels along the ring of virtual ranks, in segments; each rank sends to its successor
/// only.
void allgather_over_ring(const Allgather& all, Bytes element_bytes, const Parameters& parameters,
                         ScheduleWriter& writer);

/// Bruck et al. 1997: every virtual rank gets `radix` times as many blocks in each round, for any number of ranks.
void allgather_by_bruck(const Allgather& all, std::int64_t radix, ScheduleWriter& writer);

/// Recursive multiplying: groups of virtual ranks with the same blocks exchange them with `radix` - 1 other groups,
/// then the resulting groups do, in ceil(log_radix(ranks)) rounds, for any number of ranks (radix_groups.hpp).
void allgather_over_groups(const Allgather& all, int radix, ScheduleWriter& writer);

/// Recursive multiplying among `places` virtual ranks, seen from one of them: groups exchange with `radix` - 1 other
/// groups, then the resulting groups do. Calls receive(source, group) for each virtual rank with data of its group, and
/// send(target, group) for each to which the data of the own group goes.
template <class Receive, class Send>
void exchange_over_groups(int places, int place, int radix, const Receive& receive, const Send& send) {
  const std::vector<GroupLevel> levels = radix_groups(places, radix, place);
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const Group& own = level->own();
    const int index = place - own.first;
    for (int step = 1; step < level->count(); ++step) {
      const Group& source = level->further(-step);
      receive(partner(source, index), source);
      for (const int target : partnered(own, index, level->further(step))) send(target, own);
    }
  }
}

/// Writes an allgatherv among virtual ranks in the order of Parameters::order. The own block is sent from its initial
/// position and concurrently copied to its result. `gather` writes the messages of an Allgather.
template <class Gather>
void write_allgatherv(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer,
                      const Gather& gather) {
  const RankOrder rank_order(request.ranks, request.root, parameters.order);
  const PlacedBlocks blocks(request.blocks, rank_order);
  const int place = rank_order.place(rank);
  const BufferRange result = blocks.block(place, Buffer::output);
  const BufferRange own = request.in_place ? result : BufferRange{Buffer::input, 0, result.count};
  gather(Allgather{.blocks = blocks, .place = place, .own = own});
  writer.copy({own}, {result});
}

/// Algorithm::period of algorithms that segment every block separately.
inline int period_of_blocks(const Request& request, const Parameters& /*parameters*/) {
  return request.ranks;
}

}  // namespace tombolo
