#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters&, Rank rank, ScheduleWriter& writer) {
  const Blocks& blocks = request.blocks;
  const Rank last = request.ranks - 1;
  const std::int64_t total = blocks.total();
  const Piece own{request.in_place ? Buffer::output : Buffer::input, 0, total};
  const Piece out{Buffer::output, 0, blocks.count(rank)};
  const Piece sum{Buffer::scratch, writer.scratch(total), total};
  writer.copy({own}, {sum});
  if (rank > 0) {
    const Piece before{Buffer::scratch, writer.scratch(total), total};
    writer.receive(rank - 1, {before});
    writer.reduce({before}, {sum});
  }
  if (rank < last) {
    writer.send(rank + 1, {sum});
    writer.receive(last, {out});
    return;
  }
  for (Rank to = 0; to < last; ++to) {
    writer.send(to, {{Buffer::scratch, sum.offset + blocks.offset(to), blocks.count(to)}});
  }
  writer.copy({{Buffer::scratch, sum.offset + blocks.offset(rank), out.count}}, {out});
}

}  // namespace

const Algorithm reduce_scatter_placeholder{
    .name = "placeholder",
    .operation = Operation::reduce_scatter,
    .summary = "from rank to rank; simple",
    .write = write,
};

}  // namespace tombolo
