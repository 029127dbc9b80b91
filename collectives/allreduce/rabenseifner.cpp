#include <tombolo/collectives/allreduce/by_shares.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 2;

// Rabenseifner 2004, with groups of almost equal sizes where the number of ranks is no power of the radix.
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const int radix = parameters.radix > 0 ? parameters.radix : usual_radix;
  ScratchRoom room(writer);
  write_allreduce_by_shares(
      request, parameters, rank, writer,
      [&](const ReduceScatter& all, const Piece*) { return reduce_scatter_over_groups(all, radix, room, writer); },
      [&](const Allgather& all) { allgather_over_groups(all, radix, writer); });
}

}  // namespace

const Algorithm allreduce_rabenseifner{
    .name = "rabenseifner",
    .operation = Operation::allreduce,
    .summary = "shares are combined by halving and handed out by doubling; each element moves twice, for large vectors",
    .write = write,
    .radix = usual_radix,
    .reorders = true,
};

}  // namespace tombolo
