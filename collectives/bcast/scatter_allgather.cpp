#include <tombolo/collectives/bcast/scatter_allgather.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 2;

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const int radix = parameters.radix > 0 ? parameters.radix : usual_radix;
  write_scatter_allgather(request, parameters, rank, writer,
                          [&](const Allgather& all) { allgather_over_groups(all, radix, writer); });
}

}  // namespace

const Algorithm bcast_scatter_allgather{
    .name = "scatter_allgather",
    .operation = Operation::bcast,
    .summary = "shares go down a tree, then groups of `radix` exchange what they have; for middle sizes on one switch",
    .write = write,
    .radix = usual_radix,
};

}  // namespace tombolo
