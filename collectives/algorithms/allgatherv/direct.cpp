// The direct allgather: every rank sends its block directly to all others.

#include <tombolo/collectives/algorithms/allgatherv/allgather.hpp>
#include <tombolo/collectives/algorithms/common/channel_set.hpp>
#include <tombolo/collectives/algorithms/common/segments.hpp>

namespace tombolo {

namespace {

// Every virtual rank begins with the next one, so that no rank is the first target of all.
void write_direct(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write_allgatherv(request, parameters, rank, writer, [&](const Allgather& all) {
    const auto in_segments = [&](const BufferRange& block) {
      return segments(block, request.element_bytes, parameters.segment_bytes);
    };
    // A link carries a single message for unsegmented blocks.
    const bool single = parameters.segment_bytes == 0 && parameters.channels == Channels::per_link;
    ChannelSet out(writer, single ? 0 : parameters.window, parameters.channels);
    ChannelSet in(writer, single ? 0 : parameters.window, parameters.channels);
    for (int step = 1; step < all.size(); ++step) {
      const int source = all.further(-step);
      const Rank from = all.rank(source);
      const Rank to = all.rank(all.further(step));
      for (const BufferRange& part : in_segments(all.blocks.block(source, Buffer::output))) {
        writer.receive(from, {part}, {.channel = in.channel(from)});
      }
      for (const BufferRange& part : in_segments(all.own)) writer.send(to, {part}, {.channel = out.channel(to)});
    }
  });
}

}  // namespace

const Algorithm allgatherv_direct{
    .name = "direct",
    .operation = Operation::allgatherv,
    .summary = "every rank sends every other its block; one latency, nothing passed on, in segments, for fast switches",
    .write = write_direct,
    .uses = {Parameter::segment_bytes},
    .period = period_of_blocks,
    .in_a_row = [](const Request&, const Parameters&) { return 1; },
};

}  // namespace tombolo
