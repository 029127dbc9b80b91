#include <cstddef>

#include <tombolo/collectives/alltoallv/at_once.hpp>

namespace tombolo {

void exchange_at_once(std::span<const Rank> sources, std::span<const Rank> targets, const Request& request,
                      const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const Blocks sends = request.exchange.sends(rank);
  const Blocks receives = request.exchange.receives(rank);
  const int out = writer.lane(parameters.window);
  const int in = writer.lane(parameters.window);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Rank source = sources[i];
    const Rank target = targets[i];
    writer.receive(source, {{Buffer::output, receives.offset(source), receives.count(source)}}, {.lane = in});
    writer.send(target, {{Buffer::input, sends.offset(target), sends.count(target)}}, {.lane = out});
  }
  writer.copy({{Buffer::input, sends.offset(rank), sends.count(rank)}},
              {{Buffer::output, receives.offset(rank), receives.count(rank)}});
}

}  // namespace tombolo
