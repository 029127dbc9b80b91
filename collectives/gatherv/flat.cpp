#include <tombolo/collectives/gatherv/over_tree.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  gatherv_over_tree(flat_shape, request, parameters, rank, writer);
}

}  // namespace

const Algorithm gatherv_flat{
    .name = "flat",
    .operation = Operation::gatherv,
    .summary = "every rank sends the root its block; each element travels once, for large blocks",
    .write = write,
};

}  // namespace tombolo
