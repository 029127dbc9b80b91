#pragma once

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/reduce_scatter/reduce_scatter.hpp>
#include <tombolo/collectives/scratch_limit.hpp>

namespace tombolo {

/// Writes a reduce_scatter by an exchange among places, which Parameters::order takes for ranks. The exchange gets what
/// is to be done and where the result is to stand, null where that is in the vector that is still read, and returns
/// where it left the own block.
template <class Exchange>
void write_reduce_scatter(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer,
                          const Exchange& exchange) {
  const Places places(request, parameters);
  const PlacedBlocks blocks(request.blocks, places);
  const ReduceScatter all{
      .blocks = blocks,
      .place = places.place(rank),
      .source = request.in_place ? Buffer::output : Buffer::input,
      .scratch_limit = combining_scratch_limit(request.blocks.total(), request.element_bytes),
  };
  const Piece result{Buffer::output, 0, request.blocks.count(rank)};
  const Piece stands = exchange(all, request.in_place ? nullptr : &result);
  writer.copy({stands}, {result});
}

}  // namespace tombolo
