#include <tombolo/collectives/allgatherv/over_places.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write_allgatherv(request, parameters, rank, writer,
                   [&](const Allgather& all) { allgather_over_groups(all, 2, writer); });
}

}  // namespace

const Algorithm allgatherv_recursive_doubling{
    .name = "recursive_doubling",
    .operation = Operation::allgatherv,
    .summary = "pairs exchange what they have, then pairs of pairs; ceil(log2(ranks)) rounds, near ranks first",
    .write = write,
};

}  // namespace tombolo
