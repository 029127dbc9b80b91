// Allgather over a circulant graph, the broadcasts of all ranks at once (Traeff 2022): in each round every rank sends
// one message and receives one, with a segment of most blocks. Blocks of any sizes take as many rounds.

#include <algorithm>
#include <vector>

#include <tombolo/collectives/algorithms/allgatherv/allgather.hpp>
#include <tombolo/collectives/topology/circulant.hpp>

namespace tombolo {

namespace {

constexpr std::int64_t most_segments = 512;

// The number of segments of each block, alike for all, so that those of the largest are no longer than `segment_bytes`.
std::int64_t segments_of_each(const Request& request, const PlacedBlocks& blocks, Bytes segment_bytes) {
  if (segment_bytes <= 0 || request.element_bytes <= 0) return 1;
  const std::int64_t each = std::max<std::int64_t>(1, segment_bytes / request.element_bytes);
  return std::clamp<std::int64_t>((blocks.most() + each - 1) / each, 1, most_segments);
}

BufferRange segment_of(const BufferRange& block, std::int64_t number, std::int64_t segments) {
  const std::int64_t each = (block.count + segments - 1) / segments;
  const std::int64_t begin = std::min(number * each, block.count);
  return {block.buffer, block.offset + begin, std::min(each, block.count - begin)};
}

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write_allgatherv(request, parameters, rank, writer, [&](const Allgather& all) {
    const std::int64_t segments = segments_of_each(request, all.blocks, parameters.segment_bytes);
    const Circulant graph(all.size());
    const std::vector<std::vector<Circulant::Round>> broadcasts = graph.broadcasts(segments);
    std::vector<BufferRange> blocks;
    for (int root = 0; root < all.size(); ++root) {
      blocks.push_back(root == all.place ? all.own : all.blocks.block(root, Buffer::output));
    }
    const int sends = writer.channel(parameters.window);
    const int receives = writer.channel(parameters.window);
    // As in a broadcast: with a window per rank a send waits for the receive of the round before.
    std::vector<StepId> before;
    for (std::size_t round = 0; round < broadcasts.front().size(); ++round) {
      BufferRanges sent;
      BufferRanges received;
      int to = 0;
      int from = 0;
      for (int root = 0; root < all.size(); ++root) {
        const BufferRange& block = blocks[static_cast<std::size_t>(root)];
        const Circulant::Round& now = broadcasts[static_cast<std::size_t>(all.further(-root))][round];
        if (now.sent != Circulant::nothing) sent.push_back(segment_of(block, now.sent, segments));
        if (now.received != Circulant::nothing) received.push_back(segment_of(block, now.received, segments));
        to = graph.further(now.to, root);
        from = graph.further(now.from, root);
      }
      writer.send(all.rank(to), sent, {.channel = sends, .after = before});
      const StepId last = writer.receive(all.rank(from), received, {.channel = receives});
      if (parameters.channels == Channels::per_rank && last != no_step) before = {last};
    }
  });
}

}  // namespace

const Algorithm allgatherv_circulant{
    .name = "circulant",
    .operation = Operation::allgatherv,
    .summary = "all blocks in segments over one circulant graph; one message a round, for blocks of unlike sizes",
    .write = write,
    .uses = {Parameter::segment_bytes, Parameter::channels},
    .filling = [](const Request& request) { return Circulant(request.ranks).degree() - 1; },
};

}  // namespace tombolo
