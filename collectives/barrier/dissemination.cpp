#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

namespace {

// After round k a rank has heard, directly or not, from the 2^k - 1 ranks before it (Hensgen, Finkel and Manber 1988).
void write(const Request& request, const Parameters&, Rank rank, ScheduleWriter& writer) {
  StepId heard = no_step;
  for (int distance = 1; distance < request.ranks; distance *= 2) {
    writer.signal((rank + distance) % request.ranks, {heard});
    heard = writer.await((rank - distance + request.ranks) % request.ranks, {heard});
  }
}

}  // namespace

const Algorithm barrier_dissemination{
    .name = "dissemination",
    .operation = Operation::barrier,
    .summary = "every rank signals a rank twice as far in every round; ceil(log2(ranks)) rounds",
    .write = write,
};

}  // namespace tombolo
