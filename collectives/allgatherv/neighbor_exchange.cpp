#include <tombolo/collectives/allgatherv/over_places.hpp>

namespace tombolo {

namespace {

// Neighbours exchange their blocks; then each place exchanges with its two neighbours in turn the pair of blocks that
// it got last (Chen et al. 2005). The pairs that reach an even place come from the places below in even rounds and from
// those above in odd ones, the other way round for an odd place.
void exchange_with_neighbors(const Allgather& all, ScheduleWriter& writer) {
  const int size = all.size();
  const bool even = all.place % 2 == 0;
  const int pair = all.place - (even ? 0 : 1);
  const int mate = even ? all.place + 1 : all.place - 1;
  writer.receive(all.rank(mate), all.into({mate, 1}));
  writer.send(all.rank(mate), {all.own});
  Group newest{pair, 2};
  for (int round = 2; round <= size / 2; ++round) {
    const bool downwards = even == (round % 2 == 0);
    const int neighbor = all.further(downwards ? -1 : 1);
    const int distance = round / 2 * 2;
    const Group arriving{(pair + (downwards ? size - distance : distance)) % size, 2};
    writer.receive(all.rank(neighbor), all.into(arriving));
    writer.send(all.rank(neighbor), all.from(newest));
    newest = arriving;
  }
}

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write_allgatherv(request, parameters, rank, writer, [&](const Allgather& all) {
    if (all.size() % 2 == 0) {
      exchange_with_neighbors(all, writer);
    } else {
      allgather_over_ring(all, request.element_bytes, {}, writer);
    }
  });
}

}  // namespace

const Algorithm allgatherv_neighbor_exchange{
    .name = "neighbor_exchange",
    .operation = Operation::allgatherv,
    .summary =
        "neighbours exchange two blocks at a time, half as many rounds as a ring; a ring for odd numbers of ranks",
    .write = write,
};

}  // namespace tombolo
