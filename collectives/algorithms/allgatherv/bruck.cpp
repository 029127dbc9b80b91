// The allgather of Bruck et al. (1997), for any radix.

#include <algorithm>

#include <tombolo/collectives/algorithms/allgatherv/allgather.hpp>

namespace tombolo {

// Before a round every virtual rank has `distance` blocks, from its own on, and receives the next `distance` blocks
// from each of the radix - 1 virtual ranks at one, two, ... times `distance` further on. Blocks are received directly
// at their positions in the result: a message lists these in order, so no rotation is needed at the end.
void allgather_by_bruck(const Allgather& all, std::int64_t radix, ScheduleWriter& writer) {
  for (std::int64_t distance = 1; distance < all.size(); distance *= radix) {
    for (std::int64_t away = distance; away < std::min<std::int64_t>(radix * distance, all.size()); away += distance) {
      const int steps = static_cast<int>(away);
      const int count = static_cast<int>(std::min(distance, all.size() - away));
      const int source = all.further(steps);
      writer.receive(all.rank(source), all.into({source, count}));
      writer.send(all.rank(all.further(-steps)), all.from({all.place, count}));
    }
  }
}

namespace {

constexpr int usual_radix = 2;

void write_bruck(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write_allgatherv(request, parameters, rank, writer,
                   [&](const Allgather& all) { allgather_by_bruck(all, parameters.radix_or(usual_radix), writer); });
}

}  // namespace

const Algorithm allgatherv_bruck{
    .name = "bruck",
    .operation = Operation::allgatherv,
    .summary = "every rank gets `radix` times as many blocks in each round; fewest rounds for any number of ranks",
    .write = write_bruck,
    .near = NearRanks::far_apart,
    .radix = usual_radix,
};

}  // namespace tombolo
