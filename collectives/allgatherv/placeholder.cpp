#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters&, Rank rank, ScheduleWriter& writer) {
  const Blocks& blocks = request.blocks;
  const auto block = [&](Rank of) { return Piece{Buffer::output, blocks.offset(of), blocks.count(of)}; };
  const Piece own = request.in_place ? block(rank) : Piece{Buffer::input, 0, blocks.count(rank)};
  if (!request.in_place) writer.copy({own}, {block(rank)});
  for (int distance = 1; distance < request.ranks; ++distance) {
    const Rank from = (rank - distance + request.ranks) % request.ranks;
    writer.receive(from, {block(from)});
    writer.send((rank + distance) % request.ranks, {own});
  }
}

}  // namespace

const Algorithm allgatherv_placeholder{
    .name = "placeholder",
    .operation = Operation::allgatherv,
    .summary = "from rank to rank; simple",
    .write = write,
};

}  // namespace tombolo
