#include <tombolo/collectives/allreduce/over_groups.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 4;

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  allreduce_over_groups(request, parameters, parameters.radix > 0 ? parameters.radix : usual_radix, rank, writer);
}

}  // namespace

const Algorithm allreduce_exchange{
    .name = "exchange",
    .operation = Operation::allreduce,
    .summary =
        "groups of `radix` combine, then groups of groups; fewer rounds for small vectors, keeps operands in order",
    .write = write,
    .radix = usual_radix,
};

}  // namespace tombolo
