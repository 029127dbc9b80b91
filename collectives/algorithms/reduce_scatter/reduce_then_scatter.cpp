// A reduction to virtual rank 0, followed by a scatter from it, both over a binomial tree.

#include <array>

#include <tombolo/collectives/algorithms/common/placed_blocks.hpp>
#include <tombolo/collectives/algorithms/common/segments.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

namespace {

// One rank's steps in both halves, over the same tree. Scratch holds whole vectors in rank order: vectors from the
// children arrive in two alternating areas, where the sum so far is added. The blocks of the rank's subtree come back
// into the first area.
class Branch {
 public:
  Branch(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer)
      : request_(request),
        places_(request.commutative ? RankOrder(request.ranks, request.root, parameters.order)
                                    : RankOrder::in_rank_order(request.ranks)),
        blocks_(request.blocks, places_),
        place_(places_.place(rank)),
        node_(Tree(binomial_tree(), request.ranks).node(place_)),
        writer_(writer) {
    if (node_.subtree.size == 1) return;
    areas_[0] = writer.scratch(request.blocks.total());
    if (node_.children.size() > 1) areas_[1] = writer.scratch(request.blocks.total());
  }

  void reduce(Bytes segment_bytes) {
    const Buffer source = request_.in_place ? Buffer::output : Buffer::input;
    for (const BufferRange& part :
         segments({source, 0, request_.blocks.total()}, request_.element_bytes, segment_bytes)) {
      sum_ = part;
      int turn = 0;
      for (const Subtree& child : node_.children_by_place()) {
        const BufferRange arrived{Buffer::scratch, areas_[static_cast<std::size_t>(turn)] + part.offset, part.count};
        turn ^= 1;
        writer_.receive(places_.rank(child.top), {arrived});
        writer_.reduce({sum_}, {arrived});
        sum_ = arrived;
      }
      if (node_.parent >= 0) writer_.send(places_.rank(node_.parent), {sum_});
      sum_.offset -= part.offset;  // begin of the whole sum
    }
  }

  void scatter() {
    const BufferRange result{Buffer::output, 0, blocks_.block(place_, Buffer::output).count};
    if (node_.parent < 0) {
      for (const Subtree& child : node_.children) send(child, sum_);
      const BufferRanges own = at({place_, 1}, sum_);
      writer_.copy(own, {result});
      return;
    }
    const BufferRange room{Buffer::scratch, areas_[0], 0};
    BufferRanges into{result};
    for (const BufferRange& piece : at({place_ + 1, node_.subtree.size - 1}, room)) into.push_back(piece);
    writer_.receive(places_.rank(node_.parent), into);
    for (const Subtree& child : node_.children) send(child, room);
  }

 private:
  // The blocks of a group in a whole vector that begins at `vector`.
  BufferRanges at(const Group& group, const BufferRange& vector) const {
    BufferRanges pieces = blocks_.blocks(group, vector.buffer);
    for (BufferRange& piece : pieces) piece.offset += vector.offset;
    return pieces;
  }
  void send(const Subtree& child, const BufferRange& vector) {
    writer_.send(places_.rank(child.top), at({child.top, child.size}, vector));
  }

  const Request& request_;
  RankOrder places_;
  PlacedBlocks blocks_;
  int place_;
  Tree::Node node_;
  ScheduleWriter& writer_;
  std::array<std::int64_t, 2> areas_{};
  BufferRange sum_;
};

void write_reduce_then_scatter(const Request& request, const Parameters& parameters, Rank rank,
                               ScheduleWriter& writer) {
  Branch branch(request, parameters, rank, writer);
  branch.reduce(parameters.segment_bytes);
  branch.scatter();
}

}  // namespace

const Algorithm reduce_scatter_reduce_then_scatter{
    .name = "reduce_then_scatter",
    .operation = Operation::reduce_scatter,
    .summary =
        "the vector is reduced up a binomial tree and its blocks go down it; few messages, keeps operands in order",
    .write = write_reduce_then_scatter,
    .uses = {Parameter::segment_bytes},
};

}  // namespace tombolo
