#include <tombolo/collectives/scatterv/over_tree.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  scatterv_over_tree(binomial_shape, request, parameters, rank, writer);
}

void learn(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  learn_scatterv_over_tree(binomial_shape, request, parameters, rank, writer);
}

}  // namespace

const Algorithm scatterv_binomial{
    .name = "binomial",
    .operation = Operation::scatterv,
    .summary = "blocks travel down a binomial tree; fewest messages at the root, for small blocks",
    .write = write,
    .learn = learn,
};

}  // namespace tombolo
