#pragma once

#include <vector>

#include <tombolo/collectives/request.hpp>
#include <tombolo/collectives/schedule_writer.hpp>
#include <tombolo/collectives/tops.hpp>

namespace tombolo {

/// A part of a vector in Buffer::output, and the tops of the tree that has combined it.
struct PartOfTops {
  Piece part;
  Tops tops;
};

/// Writes exchanges among the tops of trees, for each part that one of them has the sum of its own tree of, after which
/// all have the sum of all there. Groups of tops exchange with `radix` - 1 others, or with as many as scratch has room
/// for, then the groups of these do (nested_groups.hpp). All combine in the order of tops, so that rounding errors are
/// the same everywhere; operands change places. `largest` is how many elements the largest part of all ranks has: all
/// must reckon with the same room.
void allreduce_among_tops(const std::vector<PartOfTops>& parts, std::int64_t largest, const Request& request, int radix,
                          ScheduleWriter& writer);

}  // namespace tombolo
