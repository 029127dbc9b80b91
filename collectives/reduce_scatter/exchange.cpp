#include <tombolo/collectives/reduce_scatter/over_places.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 4;

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const int radix = parameters.radix > 0 ? parameters.radix : usual_radix;
  write_reduce_scatter(request, parameters, rank, writer, [&](const ReduceScatter& all, const Piece*) {
    ScratchRoom room(writer);
    return reduce_scatter_over_groups(all, radix, room, writer);
  });
}

}  // namespace

const Algorithm reduce_scatter_exchange{
    .name = "exchange",
    .operation = Operation::reduce_scatter,
    .summary = "`radix` groups of ranks exchange their parts of the vector, then groups of these; fewer rounds",
    .write = write,
    .radix = usual_radix,
    .reorders = true,
};

}  // namespace tombolo
