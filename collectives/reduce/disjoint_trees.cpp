#include <tombolo/collectives/reduce/over_forest.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  reduce_over_forest(forest_size(parameters), request, parameters, rank, writer);
}

}  // namespace

const Algorithm reduce_disjoint_trees{
    .name = "disjoint_trees",
    .operation = Operation::reduce,
    .summary = "trees that share out the segments, every rank with children in one only; two are the double tree",
    .write = write,
    .segments = true,
    .period = [](const Request&, const Parameters& parameters) { return forest_size(parameters); },
    .radix = forest_radix,
    .reorders = true,
};

}  // namespace tombolo
