#include <tombolo/collectives/reduce_scatter/in_rotation.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  reduce_scatter_in_rotation(request, parameters, rank, false, writer);
}

}  // namespace

const Algorithm reduce_scatter_direct{
    .name = "direct",
    .operation = Operation::reduce_scatter,
    .summary = "every rank sends every other its part at once; one latency, keeps operands in order, for fast switches",
    .write = write,
};

}  // namespace tombolo
