#include <tombolo/collectives/allgatherv/over_places.hpp>
#include <tombolo/collectives/lane_set.hpp>

namespace tombolo {

namespace {

// Every place begins with the next one, so that no place is everybody's first.
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write_allgatherv(request, parameters, rank, writer, [&](const Allgather& all) {
    const int out = lane_of_single_messages(writer, parameters);
    const int in = lane_of_single_messages(writer, parameters);
    for (int step = 1; step < all.size(); ++step) {
      const int source = all.further(-step);
      writer.receive(all.rank(source), all.into({source, 1}), {.lane = in});
      writer.send(all.rank(all.further(step)), {all.own}, {.lane = out});
    }
  });
}

}  // namespace

const Algorithm allgatherv_direct{
    .name = "direct",
    .operation = Operation::allgatherv,
    .summary = "every rank sends every other its block; one latency, nothing passed on, for fast switches",
    .write = write,
};

}  // namespace tombolo
