#pragma once

#include <tombolo/collectives/parameters.hpp>
#include <tombolo/collectives/reduce_scatter/relayed_sums.hpp>
#include <tombolo/collectives/request.hpp>
#include <tombolo/collectives/schedule_writer.hpp>

namespace tombolo {

/// A place that takes part in a reduce_scatter over relays.
struct SummingPlace {
  const Request& request;
  const Parameters& parameters;
  const LevelGroups& groups;
  const RelayedSums& relayed;
  int place = 0;
  std::int64_t scratch_limit = 0;  ///< elements

  /// Where its own contribution to the block of a place stands.
  Piece block_of(int owner) const {
    const Rank rank = groups.rank(owner);
    return {request.in_place ? Buffer::output : Buffer::input, request.blocks.offset(rank), request.blocks.count(rank)};
  }
  const Group& nearest() const { return groups.group(groups.levels() - 1, place); }
  /// What goes straight from one near place to another, in segments.
  Pieces segments_of(int owner) const;
};

/// Writes how the place's own block is summed up: from its own contribution, those of its smallest group and what
/// relays of other groups send, in as much scratch as there still is. Operands that do not commute keep their order.
void write_own_sum(const SummingPlace& at, ScheduleWriter& writer);

}  // namespace tombolo
