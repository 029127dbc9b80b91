#include <cstddef>

#include <tombolo/collectives/alltoallv/at_once.hpp>
#include <tombolo/collectives/lane_set.hpp>
#include <tombolo/collectives/segments.hpp>

namespace tombolo {

void exchange_at_once(std::span<const Rank> sources, std::span<const Rank> targets, const Request& request,
                      const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const Blocks sends = request.exchange.sends(rank);
  const Blocks receives = request.exchange.receives(rank);
  const auto parts = [&](Piece block) { return segments(block, request.element_bytes, parameters.segment_bytes); };
  // A window on a link of which there is one message would bound nothing.
  const bool windows = parameters.lanes == Lanes::per_rank || parameters.segment_bytes > 0;
  LaneSet out(writer, windows ? parameters.window : 0, parameters.lanes);
  LaneSet in = out;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Rank source = sources[i];
    const Rank target = targets[i];
    for (const Piece& part : parts({Buffer::output, receives.offset(source), receives.count(source)})) {
      writer.receive(source, {part}, {.lane = in.lane(source)});
    }
    for (const Piece& part : parts({Buffer::input, sends.offset(target), sends.count(target)})) {
      writer.send(target, {part}, {.lane = out.lane(target)});
    }
  }
  writer.copy({{Buffer::input, sends.offset(rank), sends.count(rank)}},
              {{Buffer::output, receives.offset(rank), receives.count(rank)}});
}

}  // namespace tombolo
