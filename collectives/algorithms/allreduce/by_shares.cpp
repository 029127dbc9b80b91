// Allreduces in two halves, for large vectors: a reduce_scatter, after which every rank has its share of the result,
// and an allgather of the shares.

#include <tombolo/collectives/algorithms/allgatherv/allgather.hpp>
#include <tombolo/collectives/algorithms/reduce_scatter/reduce_scatter.hpp>
#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 2;

// The arguments of `reduce` are its task and the intended position of the share, null for an in-place request, whose
// output is still read. The return value is the actual position of the share.
template <class Reduce, class Gather>
void write_allreduce_by_shares(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer,
                               const Reduce& reduce, const Gather& gather) {
  const RankOrder rank_order(request.ranks, request.root, parameters.order);
  const PlacedBlocks shares = PlacedBlocks::even(request.count, rank_order);
  const int place = rank_order.place(rank);
  const BufferRange result = shares.block(place, Buffer::output);
  const ReduceScatter first{
      .blocks = shares,
      .place = place,
      .source = request.in_place ? Buffer::output : Buffer::input,
      .scratch_limit = combining_scratch_limit(request.count, request.element_bytes),
  };
  const BufferRange own = reduce(first, request.in_place ? nullptr : &result);
  gather(Allgather{.blocks = shares, .place = place, .own = own});
  writer.copy({own}, {result});
}

void write_ring(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  ScratchRoom room(writer);
  write_allreduce_by_shares(
      request, parameters, rank, writer,
      [&](const ReduceScatter& all, const BufferRange* result) {
        return reduce_scatter_over_ring(all, result, request.element_bytes, parameters, room, writer);
      },
      [&](const Allgather& all) { allgather_over_ring(all, request.element_bytes, parameters, writer); });
}

// Rabenseifner 2004, with groups of almost equal sizes if the number of ranks is not a power of the radix.
void write_rabenseifner(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const int radix = parameters.radix_or(usual_radix);
  ScratchRoom room(writer);
  write_allreduce_by_shares(
      request, parameters, rank, writer,
      [&](const ReduceScatter& all, const BufferRange*) {
        return reduce_scatter_over_groups(all, radix, room, writer);
      },
      [&](const Allgather& all) { allgather_over_groups(all, radix, writer); });
}

void write_circulant(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  ScratchRoom room(writer);
  write_allreduce_by_shares(
      request, parameters, rank, writer,
      [&](const ReduceScatter& all, const BufferRange*) { return reduce_scatter_over_circulant(all, room, writer); },
      [&](const Allgather& all) { allgather_by_bruck(all, 2, writer); });
}

}  // namespace

const Algorithm allreduce_ring{
    .name = "ring",
    .operation = Operation::allreduce,
    .summary =
        "shares travel around a ring twice, to one neighbour each, in segments; for large vectors, weak switches",
    .write = write_ring,
    .uses = {Parameter::segment_bytes},
    .near = NearRanks::adjacent,
    .period = [](const Request& request, const Parameters&) { return request.ranks; },
    .needs_commutative = true,
};

const Algorithm allreduce_rabenseifner{
    .name = "rabenseifner",
    .operation = Operation::allreduce,
    .summary = "shares are combined by halving and handed out by doubling; each element moves twice, for large vectors",
    .write = write_rabenseifner,
    .near = NearRanks::far_apart,
    .radix = usual_radix,
    .needs_commutative = true,
};

const Algorithm allreduce_circulant{
    .name = "circulant",
    .operation = Operation::allreduce,
    .summary =
        "as rabenseifner, but every rank sends to one and receives from one in each round; for any number of ranks",
    .write = write_circulant,
    .near = NearRanks::far_apart,
    .regular = [](const Request& request,
                  const Parameters&) { return circulant_rounds(request.ranks, request.count, true); },
    .needs_commutative = true,
};

}  // namespace tombolo
