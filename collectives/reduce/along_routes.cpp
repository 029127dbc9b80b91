#include <tombolo/collectives/lane_set.hpp>
#include <tombolo/collectives/reduce/along_routes.hpp>
#include <tombolo/collectives/reduce/segment_slots.hpp>

namespace tombolo {

void reduce_along(const TreeRoutes& routes, const Request& request, const Parameters& parameters, Vectors vectors,
                  ScheduleWriter& writer) {
  LaneSet receives = LaneSet::with_children(writer, parameters);
  LaneSet sends = LaneSet::with_parents(writer, parameters);
  const auto further = [&](Rank peer) { return routes.further(peer, parameters.segment_bytes); };
  SegmentSlots slots(routes, request, parameters, writer);
  for (const TreeRoutes::Leg& leg : routes.legs) {
    const Role& role = routes.roles[leg.role];
    const Piece output{Buffer::output, leg.offset, leg.count};
    // What has been combined so far is the left operand of what the next child sends, and the result stands where that
    // came in. So operands keep their order.
    Piece sum{vectors.own_in_output ? Buffer::output : Buffer::input, leg.offset, leg.count};
    for (std::size_t child = 0; child < role.children.size(); ++child) {
      const Rank from = role.children[child];
      const bool last = child + 1 == role.children.size();
      const bool into_output = last && vectors.has_output && !vectors.own_in_output;
      const Piece arrived = into_output ? output : slots.next(from, leg.count);
      writer.receive(from, {arrived}, {.lane = receives.lane(from, further(from))});
      if (vectors.own_in_output && request.commutative) {
        writer.reduce({arrived}, {sum});
      } else {
        writer.reduce({sum}, {arrived});
        sum = arrived;
      }
    }
    if (role.parent != nobody) {
      writer.send(role.parent, {sum}, {.lane = sends.lane(role.parent, further(role.parent))});
    } else if (vectors.has_output) {
      writer.copy({sum}, {output});
    }
  }
}

}  // namespace tombolo
