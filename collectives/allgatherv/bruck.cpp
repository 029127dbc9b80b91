#include <algorithm>

#include <tombolo/collectives/allgatherv/over_places.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 2;

// Before a round every place has the blocks of `distance` places from its own on, and gets the next so many from each
// of the radix - 1 places that are one, two, ... distances further on (Bruck et al. 1997). Blocks go straight to where
// they belong: a message names the blocks' places in the result in order, so there is nothing to be rotated at the end.
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const std::int64_t radix = parameters.radix > 0 ? parameters.radix : usual_radix;
  write_allgatherv(request, parameters, rank, writer, [&](const Allgather& all) {
    for (std::int64_t distance = 1; distance < all.size(); distance *= radix) {
      for (std::int64_t away = distance; away < std::min<std::int64_t>(radix * distance, all.size());
           away += distance) {
        const int steps = static_cast<int>(away);
        const int count = static_cast<int>(std::min(distance, all.size() - away));
        const int source = all.further(steps);
        writer.receive(all.rank(source), all.into({source, count}));
        writer.send(all.rank(all.further(-steps)), all.from({all.place, count}));
      }
    }
  });
}

}  // namespace

const Algorithm allgatherv_bruck{
    .name = "bruck",
    .operation = Operation::allgatherv,
    .summary = "every rank gets `radix` times as many blocks in each round; fewest rounds for any number of ranks",
    .write = write,
    .radix = usual_radix,
};

}  // namespace tombolo
