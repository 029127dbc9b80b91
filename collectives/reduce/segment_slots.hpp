#pragma once

#include <unordered_map>

#include <tombolo/collectives/parameters.hpp>
#include <tombolo/collectives/request.hpp>
#include <tombolo/collectives/schedule_writer.hpp>
#include <tombolo/collectives/tree_routes.hpp>

namespace tombolo {

/// A rank's scratch for segments that come in from its children while it combines vectors, taken in turn: as many as
/// windows let be under way, within what a rank may take (scratch_limit.hpp). Where links are long each child has slots
/// of its own, for those of a near one would be kept waiting for a far one that has the slots before: as many as are
/// wanted, or so many as there is room for.
class SegmentSlots {
 public:
  SegmentSlots(const TreeRoutes& routes, const Request& request, const Parameters& parameters, ScheduleWriter& writer);

  Piece next(Rank child, std::int64_t count);

 private:
  struct Ring {
    std::int64_t first = 0;  // slots
    std::int64_t slots = 0;
    std::int64_t turn = 0;
  };
  std::int64_t one_for_all(const TreeRoutes& routes, const Parameters& parameters, std::int64_t room);
  std::int64_t one_for_each(const TreeRoutes& routes, const Parameters& parameters, std::int64_t room);

  std::int64_t each_ = 0;   // elements of a slot
  std::int64_t begin_ = 0;  // in scratch
  Ring shared_;
  std::unordered_map<Rank, Ring> own_;
};

}  // namespace tombolo
