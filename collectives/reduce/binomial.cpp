#include <tombolo/collectives/reduce/over_tree.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  reduce_over_tree(binomial_shape, request, parameters, rank, writer);
}

}  // namespace

const Algorithm reduce_binomial{
    .name = "binomial",
    .operation = Operation::reduce,
    .summary = "pairs combine, then pairs of pairs; fewest steps for small vectors, and keeps operands in order",
    .write = write,
    .segments = true,
};

}  // namespace tombolo
