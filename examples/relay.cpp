// A collective algorithm of one's own: written, proved and predicted without any rank. docs/extending.md explains it.
// It takes headers of Tombolo's own tree, so it is not installed.

#include <fmt/format.h>

#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/collectives/predict/show.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/collectives/topology/rank_order.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>

namespace tombolo {
namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const RankOrder order(request.ranks, request.root, parameters.order);
  const int mine = order.place(rank);
  const BufferRange vector{Buffer::output, 0, request.count};
  if (mine > 0) writer.receive(order.rank(mine - 1), {vector});
  if (mine + 1 < order.size()) writer.send(order.rank(mine + 1), {vector});
}

const Algorithm bcast_relay{
    .name = "relay",
    .operation = Operation::bcast,
    .summary = "from rank to rank",
    .write = write,
};

}  // namespace
}  // namespace tombolo

int main() {
  using namespace tombolo;
  for (int ranks = 1; ranks <= 32; ++ranks) {
    const Proof proof = prove(Plan(Request::bcast(ranks, ranks / 2, 1000, 8), bcast_relay));
    if (proof.holds()) continue;
    fmt::print(stderr, "{} ranks: {}\n", ranks, *proof.fault);
    return 1;
  }
  const Plan plan(Request::bcast(4, 0, 1000, 8), bcast_relay);
  const Hockney model({.latency = 50'000'000, .rate = 125'000'000});
  fmt::print("{}\n{}{}", plan.describe(), show_tree(plan), show_timeline(plan, predict(plan, model)));
  return 0;
}
