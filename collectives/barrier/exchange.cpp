#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/barrier/over_groups.hpp>
#include <tombolo/collectives/places.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 4;

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const Places places(request, parameters);
  const int radix = parameters.radix > 0 ? parameters.radix : usual_radix;
  const auto rank_of = [&places](int place) { return places.rank(place); };
  barrier_over_groups(places.size(), places.place(rank), radix, rank_of, {}, writer);
}

}  // namespace

const Algorithm barrier_exchange{
    .name = "exchange",
    .operation = Operation::barrier,
    .summary = "groups of `radix` signal one another, then groups of groups; near ranks first",
    .write = write,
    .radix = usual_radix,
};

}  // namespace tombolo
