// Alltoalls in which every block is sent directly from its owner to its target. The algorithms differ in the order: all
// at once, from the next rank on (direct) or from rank 0 on (linear), or one partner each way per step (pairwise).

#include <cstddef>
#include <span>
#include <vector>

#include <tombolo/collectives/algorithms/common/channel_set.hpp>
#include <tombolo/collectives/algorithms/common/segments.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

namespace {

// Starts the messages of all pairs at once. Receives are posted from `sources`, alternating with sends to `targets`;
// each list names all other ranks once. A window per rank (Parameters::channels) throttles the rank's sends and its
// receives; orders with a cycle of waiting ranks would then deadlock. A window per link applies to the segments of one
// block.
void exchange_at_once(std::span<const Rank> sources, std::span<const Rank> targets, const Request& request,
                      const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const Blocks sends = request.exchange.sends(rank);
  const Blocks receives = request.exchange.receives(rank);
  const auto parts = [&](BufferRange block) {
    return segments(block, request.element_bytes, parameters.segment_bytes);
  };
  // A window per link would bound nothing for a single message per link.
  const bool windows = parameters.channels == Channels::per_rank || parameters.segment_bytes > 0;
  ChannelSet out(writer, windows ? parameters.window : 0, parameters.channels);
  ChannelSet in = out;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Rank source = sources[i];
    const Rank target = targets[i];
    for (const BufferRange& part : parts({Buffer::output, receives.offset(source), receives.count(source)})) {
      writer.receive(source, {part}, {.channel = in.channel(source)});
    }
    for (const BufferRange& part : parts({Buffer::input, sends.offset(target), sends.count(target)})) {
      writer.send(target, {part}, {.channel = out.channel(target)});
    }
  }
  writer.copy({{Buffer::input, sends.offset(rank), sends.count(rank)}},
              {{Buffer::output, receives.offset(rank), receives.count(rank)}});
}

// Rank r begins with r + 1, so that no rank is the first target of all.
void write_direct(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  std::vector<Rank> sources;
  std::vector<Rank> targets;
  for (int step = 1; step < request.ranks; ++step) {
    sources.push_back((rank - step + request.ranks) % request.ranks);
    targets.push_back((rank + step) % request.ranks);
  }
  exchange_at_once(sources, targets, request, parameters, rank, writer);
}

// All ranks begin with rank 0: the direct exchange of Barchet-Estefanel and Mounié (2004), section 5, before the
// rotation of its order.
void write_linear(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  std::vector<Rank> others;
  for (Rank other = 0; other < request.ranks; ++other) {
    if (other != rank) others.push_back(other);
  }
  exchange_at_once(others, others, request, parameters, rank, writer);
}

// In step s rank r sends to r + s and receives from r - s; a step begins after completion of the step before.
void write_pairwise(const Request& request, const Parameters&, Rank rank, ScheduleWriter& writer) {
  const Blocks sends = request.exchange.sends(rank);
  const Blocks receives = request.exchange.receives(rank);
  writer.copy({{Buffer::input, sends.offset(rank), sends.count(rank)}},
              {{Buffer::output, receives.offset(rank), receives.count(rank)}});
  std::vector<StepId> before;
  for (int step = 1; step < request.ranks; ++step) {
    const Rank source = (rank - step + request.ranks) % request.ranks;
    const Rank target = (rank + step) % request.ranks;
    const StepId received =
        writer.receive(source, {{Buffer::output, receives.offset(source), receives.count(source)}}, {.after = before});
    const StepId sent =
        writer.send(target, {{Buffer::input, sends.offset(target), sends.count(target)}}, {.after = before});
    // An empty message has no step; the next step then follows the last non-empty one.
    if (received != no_step || sent != no_step) before = {received, sent};
  }
}

}  // namespace

const Algorithm alltoallv_direct{
    .name = "direct",
    .operation = Operation::alltoallv,
    .summary = "every pair exchanges its blocks at once; all links busy, nothing ordered",
    .write = write_direct,
    .uses = {Parameter::segment_bytes},
    .in_a_row = [](const Request&, const Parameters&) { return 1; },
    .floods = true,
};

const Algorithm alltoallv_linear{
    .name = "linear",
    .operation = Operation::alltoallv,
    .summary = "as direct, but all send to rank 0 first, then to 1, 2, ...; one receiver at a time is overrun",
    .write = write_linear,
    .uses = {Parameter::segment_bytes},
    .baseline = true,
};

const Algorithm alltoallv_pairwise{
    .name = "pairwise",
    .operation = Operation::alltoallv,
    .summary = "one partner each way per step; no two messages to one rank at a time",
    .write = write_pairwise,
};

}  // namespace tombolo
