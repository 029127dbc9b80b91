#include <tombolo/collectives/scan/over_groups.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 4;

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  scan_over_groups(request, parameters.radix > 0 ? parameters.radix : usual_radix, rank, true, writer);
}

}  // namespace

const Algorithm scan_exchange{
    .name = "exchange",
    .operation = Operation::scan,
    .summary = "groups of `radix` ranks exchange their sums, then groups of groups; fewest rounds for small vectors",
    .write = write,
    .radix = usual_radix,
};

}  // namespace tombolo
