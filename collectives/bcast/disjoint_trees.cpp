#include <tombolo/collectives/bcast/over_forest.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  bcast_over_forest(forest_size(parameters), request, parameters, rank, writer);
}

}  // namespace

const Algorithm bcast_disjoint_trees{
    .name = "disjoint_trees",
    .operation = Operation::bcast,
    .summary = "trees that share out the segments, every rank with children in one only; two are the double tree",
    .write = write,
    .segments = true,
    .period = [](const Request&, const Parameters& parameters) { return forest_size(parameters); },
    .radix = forest_radix,
};

}  // namespace tombolo
