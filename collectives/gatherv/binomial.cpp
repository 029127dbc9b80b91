#include <tombolo/collectives/gatherv/over_tree.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  gatherv_over_tree(binomial_shape, request, parameters, rank, writer);
}

void learn(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  learn_gatherv_over_tree(binomial_shape, request, parameters, rank, writer);
}

}  // namespace

const Algorithm gatherv_binomial{
    .name = "binomial",
    .operation = Operation::gatherv,
    .summary = "blocks travel up a binomial tree; fewest messages at the root, for small blocks",
    .write = write,
    .learn = learn,
};

}  // namespace tombolo
