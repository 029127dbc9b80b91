// Broadcast over a circulant graph (Traeff 2022, 2024), in the fewest rounds for any number of ranks: every rank sends
// and receives one segment in each.

#include <vector>

#include <tombolo/collectives/algorithms/common/circulant_rounds.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const CirculantRounds all(Buffer::output, request, parameters, rank);
  ChannelSet receives(writer, parameters.window, Channels::per_link);
  const int sends = writer.channel(parameters.window);
  // With a window per rank a send waits for the receive of the round before: a rank that is ahead may else occupy a
  // port that a message of an earlier round needs. Which is faster depends on the numbers of ranks and segments.
  const bool paced = parameters.channels == Channels::per_rank;
  std::vector<StepId> before;
  for (const Circulant::Round& round : all.rounds()) {
    if (round.sent != Circulant::nothing)
      writer.send(all.rank(round.to), {all.segment(round.sent)}, {.channel = sends, .after = before});
    if (round.received != Circulant::nothing) {
      const Rank from = all.rank(round.from);
      const StepId last = writer.receive(from, {all.segment(round.received)}, {.channel = receives.channel(from)});
      if (paced) before = {last};
    }
  }
}

}  // namespace

const Algorithm bcast_circulant{
    .name = "circulant",
    .operation = Operation::bcast,
    .summary = "segments in the fewest rounds, every rank sending one and receiving one; for middle and large vectors",
    .write = write,
    .uses = {Parameter::segment_bytes, Parameter::channels},
    .filling = circulant_filling,
    .regular = circulant_regular<false>,
};

}  // namespace tombolo
