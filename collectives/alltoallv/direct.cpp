#include <vector>

#include <tombolo/collectives/alltoallv/at_once.hpp>

namespace tombolo {

namespace {

// Rank r begins with r + 1, so that no rank is everybody's first.
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  std::vector<Rank> sources;
  std::vector<Rank> targets;
  for (int step = 1; step < request.ranks; ++step) {
    sources.push_back((rank - step + request.ranks) % request.ranks);
    targets.push_back((rank + step) % request.ranks);
  }
  exchange_at_once(sources, targets, request, parameters, rank, writer);
}

}  // namespace

const Algorithm alltoallv_direct{
    .name = "direct",
    .operation = Operation::alltoallv,
    .summary = "every pair exchanges its blocks at once; all links busy, nothing ordered",
    .write = write,
    .segments = true,
};

}  // namespace tombolo
