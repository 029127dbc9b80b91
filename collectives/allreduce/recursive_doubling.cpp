#include <tombolo/collectives/allreduce/over_groups.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  allreduce_over_groups(request, parameters, 2, rank, writer);
}

}  // namespace

const Algorithm allreduce_recursive_doubling{
    .name = "recursive_doubling",
    .operation = Operation::allreduce,
    .summary =
        "pairs combine, then pairs of pairs; ceil(log2(ranks)) rounds for small vectors, keeps operands in order",
    .write = write,
};

}  // namespace tombolo
