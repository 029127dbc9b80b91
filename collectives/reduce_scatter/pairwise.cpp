#include <tombolo/collectives/reduce_scatter/in_rotation.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  reduce_scatter_in_rotation(request, parameters, rank, true, writer);
}

}  // namespace

const Algorithm reduce_scatter_pairwise{
    .name = "pairwise",
    .operation = Operation::reduce_scatter,
    .summary = "one partner each way per step; no two messages to one rank at a time, keeps operands in order",
    .write = write,
};

}  // namespace tombolo
