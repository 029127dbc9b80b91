#include <tombolo/collectives/scatterv/over_tree.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  scatterv_over_tree(flat_shape, request, parameters, rank, writer);
}

}  // namespace

const Algorithm scatterv_flat{
    .name = "flat",
    .operation = Operation::scatterv,
    .summary = "the root sends every rank its block; each element travels once, for large blocks",
    .write = write,
};

}  // namespace tombolo
