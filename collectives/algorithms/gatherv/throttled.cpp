// The flat gather with a window: the root limits the number of concurrent senders.

#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/rank_order.hpp>

namespace tombolo {

namespace {

// At most Parameters::window ranks send at a time: the first ones at once, each other one after a signal from the root,
// which follows the arrival of an earlier block. The signal is needed because eager sends are not delayed by late
// receives.
void write_throttled(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const RankOrder rank_order(request.ranks, request.root, parameters.order);
  const Rank root = rank_order.rank(0);
  const auto waits = [&](int place) { return parameters.window > 0 && place > parameters.window; };
  const BufferRange own{Buffer::input, 0, request.blocks.count(rank)};
  if (rank != root) {
    if (own.count == 0) return;
    const StepId let = waits(rank_order.place(rank)) ? writer.await(root, {}) : no_step;
    writer.send(root, {own}, {.after = {let}});
    return;
  }
  const auto window = static_cast<std::size_t>(parameters.window);
  std::vector<StepId> received;
  for (int place = 1; place < rank_order.size(); ++place) {
    const Rank from = rank_order.rank(place);
    const std::int64_t count = request.blocks.count(from);
    if (count == 0) continue;
    if (waits(place)) writer.signal(from, {received.size() < window ? no_step : received[received.size() - window]});
    received.push_back(writer.receive(from, {{Buffer::output, request.blocks.offset(from), count}}));
  }
  if (!request.in_place) writer.copy({own}, {{Buffer::output, request.blocks.offset(root), own.count}});
}

}  // namespace

const Algorithm gatherv_throttled{
    .name = "throttled",
    .operation = Operation::gatherv,
    .summary = "as flat, but the root lets a few ranks send at a time; where many at once overrun a switch",
    .write = write_throttled,
    .throttles = true,
};

}  // namespace tombolo
