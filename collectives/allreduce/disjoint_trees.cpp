#include <tombolo/collectives/allreduce/over_forest.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  allreduce_over_forest(forest_size(parameters), request, parameters, rank, writer);
}

}  // namespace

const Algorithm allreduce_disjoint_trees{
    .name = "disjoint_trees",
    .operation = Operation::allreduce,
    .summary = "segments go up and down one of several trees, every rank with children in one only",
    .write = write,
    .segments = true,
    .period = [](const Request&, const Parameters& parameters) { return forest_size(parameters); },
    .radix = forest_radix,
    .reorders = true,
};

}  // namespace tombolo
