#pragma once

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/allgatherv/allgather.hpp>

namespace tombolo {

/// Writes an allgatherv by an exchange among places, which Parameters::order takes for ranks: the own block goes out
/// from where it stands, and is copied to where it belongs meanwhile.
template <class Exchange>
void write_allgatherv(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer,
                      const Exchange& exchange) {
  const Places places(request, parameters);
  const PlacedBlocks blocks(request.blocks, places);
  const int place = places.place(rank);
  const Piece result = blocks.block(place, Buffer::output);
  const Piece own = request.in_place ? result : Piece{Buffer::input, 0, result.count};
  exchange(Allgather{.blocks = blocks, .place = place, .own = own});
  writer.copy({own}, {result});
}

}  // namespace tombolo
