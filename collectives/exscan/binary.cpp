#include <tombolo/collectives/scan/over_binary_tree.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  scan_over_binary_tree(request, parameters, rank, false, writer);
}

}  // namespace

const Algorithm exscan_binary{
    .name = "binary",
    .operation = Operation::exscan,
    .summary = "sums go up a tree of two children each, what precedes them comes down, in segments; for middle sizes",
    .write = write,
    .segments = true,
};

}  // namespace tombolo
