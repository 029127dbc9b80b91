// Reduce_scatter over a circulant graph, the rounds of an allgather backwards: for any number of ranks each sends one
// message and receives one in every round.

#include <algorithm>
#include <bit>
#include <vector>

#include <tombolo/collectives/algorithms/reduce_scatter/reduce_scatter.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

namespace {

// One virtual rank's partial sums of the blocks of the first `kept` virtual ranks from its own on, in scratch. Only the
// first so many are there as other ranks have contributed to; of others there is the own contribution, in the source.
class Partials {
 public:
  Partials(const ReduceScatter& all, ScratchRoom& room, int kept)
      : all_(all), room_(room), after_(all.blocks.elements({all.place, kept})) {}

  void receive(int count, Rank from, ScheduleWriter& writer) {
    const Group again{all_.place, std::min(count, summed_)};
    const Group first{all_.place + again.size, count - again.size};
    const BufferRange arrived = room_.at(after_, all_.blocks.elements(again));
    const BufferRange beginning = in_scratch(again.size, count);
    writer.receive(from, {arrived, beginning});
    writer.reduce({arrived}, {in_scratch(0, again.size)});
    writer.reduce(all_.blocks.blocks(wrapped(first), all_.source), {beginning});
    summed_ = std::max(summed_, count);
  }

  // The blocks of the virtual ranks from `begin` on before `end` further on.
  BufferRanges of(int begin, int end) const {
    const int middle = std::clamp(summed_, begin, end);
    BufferRanges pieces{in_scratch(begin, middle)};
    for (const BufferRange& piece : all_.blocks.blocks(wrapped({all_.place + middle, end - middle}), all_.source)) {
      pieces.push_back(piece);
    }
    return pieces;
  }

  BufferRange in_scratch(int begin, int end) const {
    const std::int64_t before = all_.blocks.elements({all_.place, begin});
    return room_.at(before, all_.blocks.elements({all_.place, end}) - before);
  }

 private:
  Group wrapped(const Group& group) const { return {group.first % all_.size(), group.size}; }

  const ReduceScatter& all_;
  ScratchRoom& room_;
  std::int64_t after_;  // the scratch after the sums
  int summed_ = 0;
};

// The distances of the rounds, and of how many blocks a rank holds partial sums before each.
template <class Round>
void for_rounds(int blocks, const Round& round) {
  int held = blocks;
  for (int distance = static_cast<int>(std::bit_floor(static_cast<unsigned>(blocks - 1))); distance > 0;
       held = distance, distance /= 2) {
    round(distance, held);
  }
}

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write_reduce_scatter(request, parameters, rank, writer, [&](const ReduceScatter& all, const BufferRange*) {
    ScratchRoom room(writer);
    return reduce_scatter_over_circulant(all, room, writer);
  });
}

}  // namespace

BufferRange reduce_scatter_over_circulant(const ReduceScatter& all, ScratchRoom& room, ScheduleWriter& writer) {
  if (all.size() == 1) return all.blocks.block(all.place, all.source);
  Partials partials(all, room, static_cast<int>(std::bit_floor(static_cast<unsigned>(all.size() - 1))));
  for_rounds(all.size(), [&](int distance, int held) {
    writer.send(all.rank(all.further(distance)), partials.of(distance, held));
    partials.receive(held - distance, all.rank(all.further(-distance)), writer);
  });
  return partials.in_scratch(0, 1);
}

std::vector<RegularRounds> circulant_rounds(int blocks, std::int64_t elements, bool gathers) {
  std::vector<RegularRounds> rounds;
  for_rounds(blocks, [&](int distance, int held) {
    const std::int64_t moved = held - distance;
    const std::int64_t most = elements / blocks * moved + std::min(moved, elements % blocks);
    rounds.push_back({.sent = most, .combined = most});
    if (gathers) rounds.push_back({.sent = most});
  });
  return rounds;
}

const Algorithm reduce_scatter_circulant{
    .name = "circulant",
    .operation = Operation::reduce_scatter,
    .summary = "what is due at a distance goes there, then at half of it; one message each way in every round",
    .write = write,
    .near = NearRanks::far_apart,
    .needs_commutative = true,
};

}  // namespace tombolo
