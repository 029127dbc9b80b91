#include <algorithm>

#include <tombolo/collectives/lane_set.hpp>
#include <tombolo/collectives/reduce/along_routes.hpp>
#include <tombolo/collectives/scratch_limit.hpp>

namespace tombolo {

namespace {

// Room for segments that have come in, taken in turn. Two at least: a sum moves on to where the next segment came in.
class Slots {
 public:
  Slots(const TreeRoutes& routes, const Request& request, const Parameters& parameters, ScheduleWriter& writer) {
    std::int64_t receives = 0;
    std::int64_t most_children = 0;
    for (const TreeRoutes::Leg& leg : routes.legs) {
      const auto children = static_cast<std::int64_t>(routes.roles[leg.role].children.size());
      if (children == 0) continue;
      receives += children;
      most_children = std::max(most_children, children);
      each_ = std::max(each_, leg.count);
    }
    if (receives == 0) return;
    // Besides those under way, one is being combined and one is on its way up.
    const std::int64_t wanted = parameters.window > 0 ? 2 + parameters.window * most_children : receives;
    slots_ = std::min({wanted, receives, combining_scratch_limit(request.count, request.element_bytes) / each_});
    first_ = writer.scratch(slots_ * each_);
  }

  Piece next(std::int64_t count) {
    const Piece slot{Buffer::scratch, first_ + turn_ * each_, count};
    turn_ = turn_ + 1 == slots_ ? 0 : turn_ + 1;
    return slot;
  }

 private:
  std::int64_t each_ = 0;
  std::int64_t slots_ = 0;
  std::int64_t first_ = 0;
  std::int64_t turn_ = 0;
};

}  // namespace

void reduce_along(const TreeRoutes& routes, const Request& request, const Parameters& parameters, Vectors vectors,
                  ScheduleWriter& writer) {
  LaneSet receives = LaneSet::with_children(writer, parameters);
  LaneSet sends = LaneSet::with_parents(writer, parameters);
  Slots slots(routes, request, parameters, writer);
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
      const Piece arrived = into_output ? output : slots.next(leg.count);
      writer.receive(from, {arrived}, {.lane = receives.lane(from)});
      if (vectors.own_in_output && request.commutative) {
        writer.reduce({arrived}, {sum});
      } else {
        writer.reduce({sum}, {arrived});
        sum = arrived;
      }
    }
    if (role.parent != nobody) {
      writer.send(role.parent, {sum}, {.lane = sends.lane(role.parent)});
    } else if (vectors.has_output) {
      writer.copy({sum}, {output});
    }
  }
}

}  // namespace tombolo
