#include <tombolo/collectives/bcast/along_routes.hpp>
#include <tombolo/collectives/lane_set.hpp>

namespace tombolo {

void bcast_along(const TreeRoutes& routes, const Parameters& parameters, ScheduleWriter& writer) {
  LaneSet receives = LaneSet::with_parents(writer, parameters);
  LaneSet sends = LaneSet::with_children(writer, parameters);
  const auto further = [&](Rank peer) { return routes.further(peer, parameters.segment_bytes); };
  for (const TreeRoutes::Leg& leg : routes.legs) {
    const Role& role = routes.roles[leg.role];
    const Piece segment{Buffer::output, leg.offset, leg.count};
    if (role.parent != nobody)
      writer.receive(role.parent, {segment}, {.lane = receives.lane(role.parent, further(role.parent))});
    for (const Rank child : role.children) writer.send(child, {segment}, {.lane = sends.lane(child, further(child))});
  }
}

}  // namespace tombolo
