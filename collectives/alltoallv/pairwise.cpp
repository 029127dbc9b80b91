#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

namespace {

// In step s rank r sends to r + s and receives from r - s; a step begins when the one before it is complete.
void write(const Request& request, const Parameters&, Rank rank, ScheduleWriter& writer) {
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
    // An empty message leaves no step; the order then still hangs on the last step that there was.
    if (received != no_step || sent != no_step) before = {received, sent};
  }
}

}  // namespace

const Algorithm alltoallv_pairwise{
    .name = "pairwise",
    .operation = Operation::alltoallv,
    .summary = "one partner each way per step; no two messages to one rank at a time",
    .write = write,
};

}  // namespace tombolo
