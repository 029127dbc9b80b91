#include <tombolo/collectives/allgatherv/over_places.hpp>
#include <tombolo/collectives/lane_set.hpp>
#include <tombolo/collectives/segments.hpp>

namespace tombolo {

namespace {

// Every place begins with the next one, so that no place is everybody's first.
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write_allgatherv(request, parameters, rank, writer, [&](const Allgather& all) {
    const auto in_segments = [&](const Piece& block) {
      return segments(block, request.element_bytes, parameters.segment_bytes);
    };
    // Of messages in whole a link carries one.
    const bool single = parameters.segment_bytes == 0 && parameters.lanes == Lanes::per_link;
    LaneSet out(writer, single ? 0 : parameters.window, parameters.lanes);
    LaneSet in(writer, single ? 0 : parameters.window, parameters.lanes);
    for (int step = 1; step < all.size(); ++step) {
      const int source = all.further(-step);
      const Rank from = all.rank(source);
      const Rank to = all.rank(all.further(step));
      for (const Piece& part : in_segments(all.blocks.block(source, Buffer::output))) {
        writer.receive(from, {part}, {.lane = in.lane(from)});
      }
      for (const Piece& part : in_segments(all.own)) writer.send(to, {part}, {.lane = out.lane(to)});
    }
  });
}

}  // namespace

const Algorithm allgatherv_direct{
    .name = "direct",
    .operation = Operation::allgatherv,
    .summary = "every rank sends every other its block; one latency, nothing passed on, in segments, for fast switches",
    .write = write,
    .segments = true,
    .period = period_of_blocks,
};

}  // namespace tombolo
