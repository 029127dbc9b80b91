#include <tombolo/collectives/bcast/over_tree.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  bcast_over_tree(binomial_shape, request, parameters, rank, writer);
}

}  // namespace

const Algorithm bcast_binomial{
    .name = "binomial",
    .operation = Operation::bcast,
    .summary = "every rank that has the vector passes it on; fewest steps for small vectors",
    .write = write,
    .segments = true,
};

}  // namespace tombolo
