#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

namespace {

// Rank r begins with r + 1, so that no rank is everybody's first. One lane each way: Parameters::window throttles.
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const Blocks sends = request.exchange.sends(rank);
  const Blocks receives = request.exchange.receives(rank);
  const int out = writer.lane(parameters.window);
  const int in = writer.lane(parameters.window);
  for (int step = 1; step < request.ranks; ++step) {
    const Rank source = (rank - step + request.ranks) % request.ranks;
    const Rank target = (rank + step) % request.ranks;
    writer.receive(source, {{Buffer::output, receives.offset(source), receives.count(source)}}, {.lane = in});
    writer.send(target, {{Buffer::input, sends.offset(target), sends.count(target)}}, {.lane = out});
  }
  writer.copy({{Buffer::input, sends.offset(rank), sends.count(rank)}},
              {{Buffer::output, receives.offset(rank), receives.count(rank)}});
}

}  // namespace

const Algorithm alltoallv_direct{
    .name = "direct",
    .operation = Operation::alltoallv,
    .summary = "every pair exchanges its blocks at once; all links busy, nothing ordered",
    .write = write,
};

}  // namespace tombolo
