#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/places.hpp>

namespace tombolo {

namespace {

// As flat, but only so many ranks as Parameters::window says send at a time: the first of them at once, each other when
// the root lets it, which is when a block is there that lets one more follow. It takes a message: where the root only
// posts receives late, eager senders burst all the same.
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const Places places(request, parameters);
  const Rank root = places.rank(0);
  const auto waits = [&](int place) { return parameters.window > 0 && place > parameters.window; };
  const Piece own{Buffer::input, 0, request.blocks.count(rank)};
  if (rank != root) {
    if (own.count == 0) return;
    const StepId let = waits(places.place(rank)) ? writer.await(root, {}) : no_step;
    writer.send(root, {own}, {.after = {let}});
    return;
  }
  const auto window = static_cast<std::size_t>(parameters.window);
  std::vector<StepId> received;
  for (int place = 1; place < places.size(); ++place) {
    const Rank from = places.rank(place);
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
    .write = write,
    .throttles = true,
};

}  // namespace tombolo
