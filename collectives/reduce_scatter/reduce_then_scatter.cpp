#include <array>

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/placed_blocks.hpp>
#include <tombolo/collectives/segments.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

namespace {

// A rank's part of both trees, which are the same one. It keeps whole vectors in its scratch, in rank order: what comes
// from its children is added to, in two areas that take turns. Its subtree's blocks come back into the first of them.
class Branch {
 public:
  Branch(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer)
      : request_(request),
        places_(request.commutative ? Places(request, parameters) : Places::in_rank_order(request.ranks)),
        blocks_(request.blocks, places_),
        place_(places_.place(rank)),
        node_(Tree(binomial_shape(), request.ranks).node(place_)),
        writer_(writer) {
    if (node_.subtree.size == 1) return;
    areas_[0] = writer.scratch(request.blocks.total());
    if (node_.children.size() > 1) areas_[1] = writer.scratch(request.blocks.total());
  }

  void reduce(Bytes segment_bytes) {
    const Buffer source = request_.in_place ? Buffer::output : Buffer::input;
    for (const Piece& part : segments({source, 0, request_.blocks.total()}, request_.element_bytes, segment_bytes)) {
      sum_ = part;
      int turn = 0;
      for (const Subtree& child : node_.children_by_place()) {
        const Piece arrived{Buffer::scratch, areas_[static_cast<std::size_t>(turn)] + part.offset, part.count};
        turn ^= 1;
        writer_.receive(places_.rank(child.top), {arrived});
        writer_.reduce({sum_}, {arrived});
        sum_ = arrived;
      }
      if (node_.parent >= 0) writer_.send(places_.rank(node_.parent), {sum_});
      sum_.offset -= part.offset;  // where the whole sum begins
    }
  }

  void scatter() {
    const Piece result{Buffer::output, 0, blocks_.block(place_, Buffer::output).count};
    if (node_.parent < 0) {
      for (const Subtree& child : node_.children) send(child, sum_);
      const Pieces own = at({place_, 1}, sum_);
      writer_.copy(own, {result});
      return;
    }
    const Piece room{Buffer::scratch, areas_[0], 0};
    Pieces into{result};
    for (const Piece& piece : at({place_ + 1, node_.subtree.size - 1}, room)) into.push_back(piece);
    writer_.receive(places_.rank(node_.parent), into);
    for (const Subtree& child : node_.children) send(child, room);
  }

 private:
  // Blocks of a group in a whole vector that begins where the piece does.
  Pieces at(const Group& group, const Piece& vector) const {
    Pieces pieces = blocks_.blocks(group, vector.buffer);
    for (Piece& piece : pieces) piece.offset += vector.offset;
    return pieces;
  }
  void send(const Subtree& child, const Piece& vector) {
    writer_.send(places_.rank(child.top), at({child.top, child.size}, vector));
  }

  const Request& request_;
  Places places_;
  PlacedBlocks blocks_;
  int place_;
  Tree::Node node_;
  ScheduleWriter& writer_;
  std::array<std::int64_t, 2> areas_{};
  Piece sum_;
};

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
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
    .write = write,
    .segments = true,
};

}  // namespace tombolo
