#include <tombolo/collectives/allgatherv/over_places.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 4;

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const int radix = parameters.radix > 0 ? parameters.radix : usual_radix;
  write_allgatherv(request, parameters, rank, writer,
                   [&](const Allgather& all) { allgather_over_groups(all, radix, writer); });
}

}  // namespace

const Algorithm allgatherv_exchange{
    .name = "exchange",
    .operation = Operation::allgatherv,
    .summary = "groups of `radix` exchange all they have, then groups of groups; fewer rounds than doubling",
    .write = write,
    .radix = usual_radix,
};

}  // namespace tombolo
