#include <algorithm>

#include <tombolo/collectives/reduce/segment_slots.hpp>
#include <tombolo/collectives/scratch_limit.hpp>

namespace tombolo {

SegmentSlots::SegmentSlots(const TreeRoutes& routes, const Request& request, const Parameters& parameters,
                           ScheduleWriter& writer) {
  for (const TreeRoutes::Leg& leg : routes.legs) {
    if (!routes.roles[leg.role].children.empty()) each_ = std::max(each_, leg.count);
  }
  if (each_ == 0) return;
  const std::int64_t room = combining_scratch_limit(request.count, request.element_bytes) / each_;
  std::int64_t slots = 0;
  if (parameters.window > 0 && !routes.long_links.empty()) slots = one_for_each(routes, parameters, room);
  if (slots == 0) slots = one_for_all(routes, parameters, room);
  begin_ = writer.scratch(slots * each_);
}

// Two at least: a sum moves on to where the next segment came in.
std::int64_t SegmentSlots::one_for_all(const TreeRoutes& routes, const Parameters& parameters, std::int64_t room) {
  std::int64_t receives = 0;
  std::int64_t most_children = 0;
  for (const TreeRoutes::Leg& leg : routes.legs) {
    const auto children = static_cast<std::int64_t>(routes.roles[leg.role].children.size());
    receives += children;
    most_children = std::max(most_children, children);
  }
  // Besides those under way, one is being combined and one is on its way up.
  const std::int64_t wanted = parameters.window > 0 ? 2 + parameters.window * most_children : receives;
  shared_.slots = std::min({wanted, receives, room});
  return shared_.slots;
}

// Where the last child's segments come in sums stand that are on their way up. 0 where there is no room, not even for
// fewer.
std::int64_t SegmentSlots::one_for_each(const TreeRoutes& routes, const Parameters& parameters, std::int64_t room) {
  const auto further = [&](Rank peer) { return routes.further(peer, parameters.segment_bytes); };
  std::unordered_map<Rank, std::int64_t> receives;
  for (const TreeRoutes::Leg& leg : routes.legs) {
    for (const Rank child : routes.roles[leg.role].children) ++receives[child];
  }
  std::vector<Ring*> rings;
  std::int64_t all = 0;
  for (const Role& role : routes.roles) {
    for (const Rank child : role.children) {
      const bool last = child == role.children.back();
      const std::int64_t up = last && role.parent != nobody ? parameters.window + further(role.parent) : 0;
      const std::int64_t wanted = std::min(2 + parameters.window + further(child) + up, receives[child]);
      const auto [at, first] = own_.try_emplace(child);
      if (first) rings.push_back(&at->second);
      all += std::max<std::int64_t>(wanted - at->second.slots, 0);
      at->second.slots = std::max(at->second.slots, wanted);
    }
  }
  std::int64_t begin = 0;
  for (Ring* ring : rings) {
    if (all > room) ring->slots = std::max<std::int64_t>(ring->slots * room / all, 2);
    ring->first = begin;
    begin += ring->slots;
  }
  if (begin <= room) return begin;
  own_.clear();
  return 0;
}

Piece SegmentSlots::next(Rank child, std::int64_t count) {
  const auto own = own_.find(child);
  Ring& ring = own == own_.end() ? shared_ : own->second;
  const Piece slot{Buffer::scratch, begin_ + (ring.first + ring.turn) * each_, count};
  ring.turn = ring.turn + 1 == ring.slots ? 0 : ring.turn + 1;
  return slot;
}

}  // namespace tombolo
