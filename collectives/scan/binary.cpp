#include <tombolo/collectives/scan/over_binary_tree.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  scan_over_binary_tree(request, parameters, rank, true, writer);
}

}  // namespace

const Algorithm scan_binary{
    .name = "binary",
    .operation = Operation::scan,
    .summary = "sums go up a tree of two children each, what precedes them comes down, in segments; for middle sizes",
    .write = write,
    .segments = true,
};

}  // namespace tombolo
