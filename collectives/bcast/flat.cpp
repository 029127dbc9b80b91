#include <tombolo/collectives/bcast/over_tree.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  bcast_over_tree(flat_shape, request, parameters, rank, writer);
}

}  // namespace

const Algorithm bcast_flat{
    .name = "flat",
    .operation = Operation::bcast,
    .summary = "the root sends to every rank in turn; for two or three ranks",
    .write = write,
    .segments = false,
};

}  // namespace tombolo
