#pragma once

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/allgatherv/allgather.hpp>
#include <tombolo/collectives/reduce_scatter/reduce_scatter.hpp>
#include <tombolo/collectives/scratch_limit.hpp>

namespace tombolo {

/// Writes an allreduce in two halves: an exchange that leaves every place its share of the result, combined, and one
/// that hands the shares to all. The first gets what is to be done and where the share is to stand, null where that is
/// in the vector that is still read, and returns where it left the share.
template <class Reduce, class Gather>
void write_allreduce_by_shares(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer,
                               const Reduce& reduce, const Gather& gather) {
  const Places places(request, parameters);
  const PlacedBlocks shares = PlacedBlocks::even(request.count, places);
  const int place = places.place(rank);
  const Piece result = shares.block(place, Buffer::output);
  const ReduceScatter first{
      .blocks = shares,
      .place = place,
      .source = request.in_place ? Buffer::output : Buffer::input,
      .scratch_limit = combining_scratch_limit(request.count, request.element_bytes),
  };
  const Piece own = reduce(first, request.in_place ? nullptr : &result);
  gather(Allgather{.blocks = shares, .place = place, .own = own});
  writer.copy({own}, {result});
}

}  // namespace tombolo
