// Allgathers between neighbours in a ring, with one or two partners per rank.

#include <tombolo/collectives/algorithms/allgatherv/allgather.hpp>
#include <tombolo/collectives/algorithms/common/segments.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

void allgather_over_ring(const Allgather& all, Bytes element_bytes, const Parameters& parameters,
                         ScheduleWriter& writer) {
  if (all.size() == 1) return;
  const bool flows = parameters.segment_bytes > 0;
  const int out = flows ? writer.channel(parameters.window) : 0;
  const int in = flows ? writer.channel(parameters.window) : 0;
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
      for (const BufferRange& part : segments(block(sent), element_bytes, parameters.segment_bytes)) {
        writer.send(next, {part}, {.channel = out});
      }
    }
    if (!lies_in(arriving, has)) {
      for (const BufferRange& part : segments(block(arriving), element_bytes, parameters.segment_bytes)) {
        writer.receive(previous, {part}, {.channel = in});
      }
    }
  }
}

namespace {

void write_ring(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write_allgatherv(request, parameters, rank, writer,
                   [&](const Allgather& all) { allgather_over_ring(all, request.element_bytes, parameters, writer); });
}

// Neighbours exchange their blocks; then each virtual rank exchanges the pair of blocks received last with its two
// neighbours alternately (Chen et al. 2005). An even virtual rank receives pairs from lower virtual ranks in even
// rounds and from higher ones in odd rounds, an odd one the other way round. A rank sends nothing before it has the
// pairs of all rounds before, as with blocking calls: pairs of fast ranks that run ahead would share a slow link, and
// arrive late together.
void exchange_with_neighbors(const Allgather& all, ScheduleWriter& writer) {
  const int size = all.size();
  const bool even = all.place % 2 == 0;
  const int pair = all.place - (even ? 0 : 1);
  const int mate = even ? all.place + 1 : all.place - 1;
  StepId before = no_step;
  StepId last = writer.receive(all.rank(mate), all.into({mate, 1}));
  writer.send(all.rank(mate), {all.own});
  Group newest{pair, 2};
  for (int round = 2; round <= size / 2; ++round) {
    const bool downwards = even == (round % 2 == 0);
    const int neighbor = all.further(downwards ? -1 : 1);
    const int distance = round / 2 * 2;
    const Group arriving{(pair + (downwards ? size - distance : distance)) % size, 2};
    const StepId now = writer.receive(all.rank(neighbor), all.into(arriving), {.after = {last}});
    writer.send(all.rank(neighbor), all.from(newest), {.after = {before}});
    before = last;
    last = now;
    newest = arriving;
  }
}

void write_neighbor_exchange(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write_allgatherv(request, parameters, rank, writer, [&](const Allgather& all) {
    if (all.size() % 2 == 0) {
      exchange_with_neighbors(all, writer);
    } else {
      allgather_over_ring(all, request.element_bytes, {}, writer);
    }
  });
}

}  // namespace

const Algorithm allgatherv_ring{
    .name = "ring",
    .operation = Operation::allgatherv,
    .summary = "blocks travel around a ring, to one neighbour each, in segments; for large blocks and weak switches",
    .write = write_ring,
    .uses = {Parameter::segment_bytes},
    .near = NearRanks::adjacent,
    .period = period_of_blocks,
};

const Algorithm allgatherv_neighbor_exchange{
    .name = "neighbor_exchange",
    .operation = Operation::allgatherv,
    .summary =
        "neighbours exchange two blocks at a time, half as many rounds as a ring; a ring for odd numbers of ranks",
    .write = write_neighbor_exchange,
    .near = NearRanks::adjacent,
};

}  // namespace tombolo
