#include <tombolo/collectives/bcast/over_tree.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  bcast_over_tree(binary_shape, request, parameters, rank, writer);
}

}  // namespace

const Algorithm bcast_binary{
    .name = "binary",
    .operation = Operation::bcast,
    .summary = "a tree of two children each; segments flow down it, for vectors of middle size",
    .write = write,
    .segments = true,
};

}  // namespace tombolo
