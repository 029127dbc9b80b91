#pragma once

#include <tombolo/collectives/algorithms/common/placed_blocks.hpp>
#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/plan/schedule_writer.hpp>

namespace tombolo {

/// A rank's scratch, addressed by offsets; grows to the highest offset used. Must be the only user of the writer's
/// scratch during its lifetime.
class ScratchRoom {
 public:
  explicit ScratchRoom(ScheduleWriter& writer) : writer_(writer) {}

  BufferRange at(std::int64_t offset, std::int64_t count) {
    if (count > 0 && offset + count > size_) {
      writer_.scratch(offset + count - size_);
      size_ = offset + count;
    }
    return {Buffer::scratch, offset, count};
  }

 private:
  ScheduleWriter& writer_;
  std::int64_t size_ = 0;
};

/// One virtual rank's part of a reduce_scatter, after which each has its own block of the combined vectors. Used by
/// reduce_scatter and by the first halves of reductions and allreduces. Operands are reordered.
struct ReduceScatter {
  const PlacedBlocks& blocks;
  int place = 0;
  Buffer source = Buffer::input;  ///< the whole vector; read-only
  std::int64_t scratch_limit = 0;

  int size() const { return blocks.size(); }
  Rank rank(int other) const { return blocks.rank(other); }
  int further(int steps) const { return (place + steps + size()) % size(); }
};

/// Recursive halving for any radix: every virtual rank keeps its group's part of the vector and sends the other parts
/// to members of the other groups; the group is then split again, in ceil(log_radix(ranks)) rounds (radix_groups.hpp).
/// Returns the position of the own block: in scratch, or in the source for a single rank.
BufferRange reduce_scatter_over_groups(const ReduceScatter& all, int radix, ScratchRoom& room, ScheduleWriter& writer);

/// The rounds of allgather_by_bruck() of radix 2 backwards (Bruck and Ho 1993; Traeff 2024, "Optimal, Non-pipelined
/// Reduce-scatter and Allreduce Algorithms"): in the round of distance 2^k every virtual rank sends the partial sums
/// of what is due 2^k places on or further to the virtual rank there. ceil(log2(ranks)) messages of each rank, which
/// hold ranks - 1 blocks, for any number of ranks. Returns the position of the own block as
/// reduce_scatter_over_groups().
BufferRange reduce_scatter_over_circulant(const ReduceScatter& all, ScratchRoom& room, ScheduleWriter& writer);

/// The rounds of reduce_scatter_over_circulant() over so many equal blocks; with `gathers`, also those of an allgather
/// after it.
std::vector<RegularRounds> circulant_rounds(int blocks, std::int64_t elements, bool gathers);

/// Ring: a block travels around the ring from the virtual rank after its owner to the owner; each rank adds its
/// contribution, in segments. The own block ends in `result`, whose buffer is not the source, or in scratch if `result`
/// is null. Returns its position.
BufferRange reduce_scatter_over_ring(const ReduceScatter& all, const BufferRange* result, Bytes element_bytes,
                                     const Parameters& parameters, ScratchRoom& room, ScheduleWriter& writer);

/// Writes a reduce_scatter in rotated order: every rank sends each block directly to its owner, in step s to the rank s
/// before its own, so that no two ranks send to the same target at a time. Operands keep the order of ranks. With
/// `paced`, a step begins after completion of the step before.
void reduce_scatter_in_rotation(const Request& request, const Parameters& parameters, Rank rank, bool paced,
                                ScheduleWriter& writer);

/// Writes a reduce_scatter among virtual ranks in the order of Parameters::order. `combine` writes the messages of a
/// ReduceScatter. Its argument is the intended position of the result, null for an in-place request, whose output is
/// still read; its return value is the actual position of the own block.
template <class Combine>
void write_reduce_scatter(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer,
                          const Combine& combine) {
  const RankOrder rank_order(request.ranks, request.root, parameters.order);
  const PlacedBlocks blocks(request.blocks, rank_order);
  const ReduceScatter all{
      .blocks = blocks,
      .place = rank_order.place(rank),
      .source = request.in_place ? Buffer::output : Buffer::input,
      .scratch_limit = combining_scratch_limit(request.blocks.total(), request.element_bytes),
  };
  const BufferRange result{Buffer::output, 0, request.blocks.count(rank)};
  const BufferRange stands = combine(all, request.in_place ? nullptr : &result);
  writer.copy({stands}, {result});
}

}  // namespace tombolo
